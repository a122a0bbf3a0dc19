internal import Web

/// Settings of HLS streams.
public struct HLSSettings: Sendable {
    /// Listeners that are encoded at once; 0 turns HLS off.
    public var listeners = 4
    /// Bits per second of either format.
    public var bitrate = 160_000
    /// Origins of other servers' pages that may play the streams, such as `https://museum.example`; `*` for all.
    public var origins: [String] = []

    public static let bitrates = 64_000...320_000
    public static let mostListeners = 64

    /// Whether a text is an origin as browsers send it: a scheme, a name in lower case and a port other than the usual one; or `*`.
    public static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
            let host = String(text.dropFirst(scheme.count))
            return RequestForm.isHost(host) && !host.hasSuffix(port) && host == host.lowercased()
        }
        return false
    }

    public init() {}
}
