extension ParameterSpec {
    /// Whether these arguments report the release of a button, which actions ignore.
    ///
    /// A push button of a touch surface sends 1 when it is pressed and 0 when it is released. No argument, nil and any other number are
    /// presses. The arguments of all other parameters are data and never a release.
    public func isRelease(_ arguments: [Argument]) -> Bool {
        kind == .impulse && !arguments.isEmpty && arguments.allSatisfy(\.isRelease)
    }
}

extension Argument {
    /// Whether a button sends this when it is released: 0 or false, also as a text.
    public var isRelease: Bool {
        if case .string(let text) = self { text == "false" || Float(text) == 0 } else { number == 0 }
    }
}
