/// Modifiers: the same declaration with one property changed.
extension ParameterSpec {
    /// Every value makes the program compute something anew; see ``isStepped``.
    var stepped: Self { changed { $0.isStepped = true } }

    /// An angle that wraps around; see ``isCircular``.
    var circular: Self { changed { $0.isCircular = true } }

    /// A vector of whole numbers; see ``isWhole``.
    var whole: Self { changed { $0.isWholeVector = true } }

    /// A unit quaternion; see ``isRotation``.
    var rotation: Self { changed { $0.isRotation = true } }

    package func with(_ role: Role) -> Self { changed { $0.role = role } }

    public func smoothed(_ smoothing: Smoothing) -> Self { changed { $0.smoothing = smoothing } }

    /// A second argument, true, replaces an existing file; see ``isConfirmable``.
    var confirmable: Self { changed { $0.isConfirmable = true } }

    /// A text that begins with another value than the empty one.
    func initially(_ text: String) -> Self { changed { $0.initial = .text(text) } }

    /// A text for which a number may be sent; see ``takesNumbers``.
    var numbersAsText: Self { changed { $0.takesNumbers = true } }

    /// A second argument is a number; see ``isNumbered``.
    var numbered: Self { changed { $0.isNumbered = true } }

    /// Two texts; see ``isPair``.
    var paired: Self { changed { $0.isPair = true } }

    /// A text with another limit of its length, bytes of UTF-8; see ``longestText``.
    public func limited(to bytes: Int) -> Self { changed { $0.longestText = bytes } }

    /// A value that matters for one interpolation method only; see ``method``.
    func only(for method: String) -> Self { changed { $0.method = method } }

    func kept(_ keeping: Keeping) -> Self { changed { $0.declaredKeeping = keeping } }

    /// Gives a choice its names.
    mutating func fill(_ names: [String], initial first: Int) {
        kind = .choice(names)
        range = 0...Float(max(names.count - 1, 0))
        initial = .number(Float(first))
    }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var spec = self
        change(&spec)
        return spec
    }
}
