/// A host and a UDP port that OSC messages are sent to.
package struct OSCDestination: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, or a name.
    package let host: String
    package let port: UInt16

    private static let longestHost = 253

    /// - Parameter text: `HOST:PORT`; a numeric IPv6 address is in brackets.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let number = DecimalText.units(text[text.index(after: colon)...], decimals: 0),
            let port = UInt16(exactly: number), port > 0
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]"
        if isBracketed { host = host.dropFirst().dropLast() }
        let allowed = isBracketed ? Self.numeric : Self.name
        guard (1...Self.longestHost).contains(host.utf8.count), host.utf8.allSatisfy({ allowed.contains($0) }) else { return nil }
        // No host name begins with a hyphen.
        guard host.first != "-" else { return nil }
        self.host = String(host)
        self.port = port
    }

    private static let name = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
    private static let numeric = Set("abcdefABCDEF0123456789.:".utf8)

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
