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
    ///   - host: the Host header; nil when it is missing, which no browser does.
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

    /// A single spelling of every name and address.
    private static func normal(_ name: String) -> String {
        if let address = NetworkAddress(host: name) { return address.host }
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
