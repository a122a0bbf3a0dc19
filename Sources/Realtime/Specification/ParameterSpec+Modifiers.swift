/// Modifiers: the same declaration with one property changed.
extension ParameterSpec {
    /// Every value makes the program compute something again; see ``isStepped``.
    package var stepped: Self { changed { $0.isStepped = true } }

    /// An angle that wraps around; see ``isCircular``.
    package var circular: Self { changed { $0.isCircular = true } }

    /// A vector of whole numbers; see ``isWhole``.
    package var whole: Self { changed { $0.isWholeVector = true } }

    /// A unit quaternion; see ``isRotation``.
    package var rotation: Self { changed { $0.isRotation = true } }

    package func with(_ role: Role) -> Self { changed { $0.role = role } }

    public func smoothed(_ smoothing: Smoothing) -> Self { changed { $0.smoothing = smoothing } }

    /// A second argument, true, replaces an existing file; see ``isConfirmable``.
    package var confirmable: Self { changed { $0.isConfirmable = true } }

    /// A text whose initial value is not empty.
    package func initially(_ text: String) -> Self { changed { $0.initial = .text(text) } }

    /// A text for which a number may be sent; see ``takesNumbers``.
    package var numbersAsText: Self { changed { $0.takesNumbers = true } }

    /// A second argument is a number; see ``isNumbered``.
    package var numbered: Self { changed { $0.isNumbered = true } }

    /// Two texts; see ``isPair``.
    package var paired: Self { changed { $0.isPair = true } }

    /// A text without line breaks; see ``isOneLine``.
    package var inOneLine: Self { changed { $0.isOneLine = true } }

    /// A text with another limit of its length, bytes of UTF-8; see ``longestText``.
    public func limited(to bytes: Int) -> Self { changed { $0.longestText = bytes } }

    /// A value that matters for one interpolation method only; see ``method``.
    package func only(for method: String) -> Self { changed { $0.method = method } }

    package func kept(_ keeping: Keeping) -> Self { changed { $0.declaredKeeping = keeping } }

    /// Gives a choice its names.
    package mutating func fill(_ list: ChoiceNames) {
        kind = .choice(list.names)
        range = 0...Float(max(list.names.count - 1, 0))
        initial = .number(Float(list.initial))
        formerNames = list.former
    }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var spec = self
        change(&spec)
        return spec
    }
}
