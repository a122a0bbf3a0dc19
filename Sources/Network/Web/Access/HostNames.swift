internal import Files
internal import Hub
internal import OSCControl

/// The host names that requests may use for this server.
///
/// Any site can resolve its own name to this machine's address (DNS rebinding), so that its pages pass for this server's
/// own; only the Host header reveals them.
struct HostNames {
    private let names: Set<String>

    /// - Parameter allowed: names or addresses besides this machine's own, without ports.
    init(bound: String, allowed: [String]) {
        names = Set(([bound, "localhost"] + allowed).map(Self.normal))
    }

    /// - Parameters:
    ///   - host: the Host header; nil when it is missing; browsers always send one.
    ///   - local: the address of this machine that the connection came to.
    func allows(_ host: String?, local: String) -> Bool {
        guard let host else { return true }
        let name = Self.name(host)
        if names.contains(name) || name.hasSuffix(".localhost") || name == Self.normal(local) { return true }
        return NetworkAddress(host: name)?.isLoopback == true
    }

    /// The name in a Host header, without port, brackets and final dot.
    static func name(_ host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return normal(String(host[host.index(after: host.startIndex)..<end]))
        }
        let colons = host.count { $0 == ":" }
        return normal(colons == 1 ? String(host[..<host.firstIndex(of: ":")!]) : host)
    }

    /// The port in a Host header; nil when there is none.
    static func port(_ host: String) -> Int? {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]"),
            host.hasPrefix("[") || host.count(where: { $0 == ":" }) == 1
        else { return nil }
        return UInt16(host[host.index(after: colon)...]).map(Int.init)
    }

    /// Normalises a name or an address, so that all spellings of it are equal.
    private static func normal(_ name: String) -> String {
        if let address = NetworkAddress(host: name) { return address.host }
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

/// Checks that a page was sent by this server.
///
/// Browsers let any page of any site connect to any WebSocket; only the Origin header distinguishes them. Programs other than browsers send
/// none.
package enum Origin {
    /// - Parameters:
    ///   - origin: the Origin header; nil when it is missing.
    ///   - host: the Host header.
    ///   - isSecure: true for a connection with TLS. A page that was loaded without TLS may come from anyone.
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
