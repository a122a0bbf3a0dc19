public import Trust

/// The two secrets of a server that others can reach: one lets in to look and listen, the other to control.
public struct AccessTokens: Sendable {
    /// 32 hexadecimal digits, 128 random bits.
    public let control: String
    /// As ``control``.
    public let view: String

    public init(control: String = Secret.random(), view: String = Secret.random()) {
        self.control = control
        self.view = view
    }

    /// Who shows this token; nil for nobody. Takes as long for a wrong token as for the right one.
    func role(_ token: String) -> AccessRole? {
        let isControl = Secret.equal(token, control)
        let isView = Secret.equal(token, view)
        return isControl ? .control : isView ? .view : nil
    }
}
