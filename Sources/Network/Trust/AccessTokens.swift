/// The two secrets of a server that other machines can reach: one permits to view and listen, the other to control.
public struct AccessTokens: Sendable {
    /// 32 hexadecimal digits, 128 random bits, when they are not chosen by hand.
    public let control: String
    /// Token in the same form as ``control``.
    public let view: String

    public init(control: String = Secret.random(), view: String = Secret.random()) {
        self.control = control
        self.view = view
    }

    /// The cookie of a client that has presented the token of a role: 64 hexadecimal digits, derived from the token by a one-way function.
    public func login(_ role: AccessRole) -> String {
        let token = role == .control ? control : view
        return Digest.hexadecimal(Digest.sha256(Array("vestibule login \(token)".utf8)))
    }

    /// The role that a token gives; nil for a wrong token. A wrong token takes as long as a right one.
    public func role(_ token: String) -> AccessRole? {
        let isControl = Secret.equal(token, control)
        let isView = Secret.equal(token, view)
        return isControl ? .control : isView ? .view : nil
    }
}
