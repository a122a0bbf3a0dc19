extension ParameterSpec {
    /// Whether these arguments are those of a button that is released, at which an action does nothing.
    ///
    /// A push button of a touch surface sends 1 when it is pressed and 0 when it is released. No argument, nil and any other number are
    /// presses. The arguments of everything but actions are data.
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
