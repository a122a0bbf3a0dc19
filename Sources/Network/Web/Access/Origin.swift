internal import Files

/// Checks that a page was sent by this server.
///
/// Browsers let any page of any site connect to any WebSocket; only the Origin header distinguishes them. Programs that are
/// no browser send none.
package enum Origin {
    /// - Parameters:
    ///   - origin: the Origin header; nil when it is missing.
    ///   - host: the Host header.
    ///   - isSecure: true for a connection with TLS. A page that was loaded without TLS may have any sender.
    static func isAllowed(origin: String?, host: String?, isSecure: Bool) -> Bool {
        guard let origin else { return true }
        guard let host, let (scheme, authority) = split(origin), scheme == "https" || !isSecure else { return false }
        let standard = scheme == "https" ? "443" : "80"
        return name(authority) == name(host) && (port(authority) ?? standard) == (port(host) ?? standard)
    }

    private static func split(_ origin: String) -> (scheme: String, authority: String)? {
        guard let address = WrittenAddress(origin), ["http", "https"].contains(address.scheme) else { return nil }
        return (address.scheme, String(address.rest))
    }

    private static func name(_ authority: String) -> String {
        let end = colon(authority) ?? authority.endIndex
        return authority[..<end].lowercased()
    }

    private static func port(_ authority: String) -> String? {
        colon(authority).map { String(authority[authority.index(after: $0)...]) }
    }

    /// The colon before the port, as opposed to those within an IPv6 address.
    private static func colon(_ authority: String) -> String.Index? {
        guard let last = authority.lastIndex(of: ":"), !authority[last...].contains("]") else { return nil }
        return last
    }
}
