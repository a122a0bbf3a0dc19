/// A code that pairs the client that scans it, once.
public struct PairingCode: Sendable {
    public let url: String
    public let code: QRCode
    /// Time until the code expires.
    public let seconds: Int
}
