/// What another device scans to be let in, once.
public struct PairingCode: Sendable {
    public let url: String
    public let code: QRCode
    /// How long it is good.
    public let seconds: Int
}
