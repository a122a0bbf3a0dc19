internal import Hub
internal import OSCControl
public import Trust

/// The names, addresses and ports under which clients reach this server.
package final class ServerAddress {
    /// The HTTP port, once it is bound.
    var port = 0
    /// True when everything but the trust page is served by TLS.
    let hasTLS: Bool
    private let host: String
    /// The address under which other machines reach this one.
    private let reachable: String
    private let oscHost: String
    private let oscPort: Int

    init(_ options: WebServer.Options) {
        host = options.host
        hasTLS = options.access.certificate != nil
        reachable = options.access.reachable ?? options.host
        (oscHost, oscPort) = (options.oscHost, options.oscPort)
    }

    /// Scheme, name and port for another machine: those of the request, unless it came from this machine itself.
    /// - Parameters:
    ///   - scheme: nil takes the panel's.
    ///   - host: the Host header of the request, if there is one.
    package func origin(_ scheme: String? = nil, host: String?) -> String {
        "\(scheme ?? (hasTLS ? "https" : "http"))://\(authority(host))"
    }

    private func authority(_ host: String?) -> String {
        if let host {
            let name = HostNames.name(host)
            let isHere = name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(host: name)?.isLoopback == true
            if !isHere { return host }
        }
        return "\(Self.bracketed(reachable)):\(port)"
    }

    /// Beginning of this server's TLS addresses, under the name that the request used.
    /// - Parameters:
    ///   - host: a Host header that has been accepted.
    ///   - local: the address of this machine that the connection came to.
    func secureOrigin(_ host: String?, local: String) -> String {
        let name = host.map { host in
            host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : HostNames.name(host)
        }
        return "https://\(name ?? Self.bracketed(local)):\(host.flatMap(HostNames.port) ?? port)"
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// Address and port for OSC, as the client of a connection reaches them.
    package func osc(for connection: Connection) -> (host: String, port: Int) { (LocalAddress.reachable(oscHost, by: connection), oscPort) }

    /// Address and port for HTTP and WebSockets, as the client of a connection reaches them.
    package func http(for connection: Connection) -> (host: String, port: Int) { (LocalAddress.reachable(host, by: connection), port) }
}

/// The names and addresses by which clients reach this machine, and the certificate for them.
public struct NetworkIdentity {
    /// The address that the server listens on.
    private let bind: String
    /// Further names that browsers may use.
    private let allowed: [String]

    public init(bind: String, allowed: [String]) { (self.bind, self.allowed) = (bind, allowed) }

    /// The name to announce; nil when no other machine can reach this server, or announcing is turned off.
    /// - Parameter wanted: the name that was asked for, empty for none; nil takes the machine's name.
    public func announcement(_ wanted: String?) -> String? {
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        guard !isLoopback, wanted != "" else { return nil }
        return wanted ?? MachineNames.names.first.map { "Vestibule on \($0)" } ?? "Vestibule"
    }

    private var isEverywhere: Bool { bind == "0.0.0.0" || bind == "::" }

    /// Names for the certificate, those that people are most likely to use first.
    var names: [String] {
        let reached = isEverywhere ? MachineNames.addresses : [bind]
        let all = allowed + reached + MachineNames.names + ["localhost", "127.0.0.1", "::1"]
        return all.reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }

    /// - Parameters:
    ///   - own: paths of the user's own certificate and key.
    ///   - folder: of a certificate that is made.
    /// - Returns: nil when TLS is off.
    /// - Throws: `TrustError`.
    public func certificate(
        isWanted: Bool, own: (certificate: String, key: String)?, folder: String
    ) throws(TrustError) -> ServerCertificate? {
        if let own {
            let reached = isEverywhere ? Array(MachineNames.addresses.prefix(1)) : [bind]
            return try .given(certificate: own.certificate, key: own.key, names: allowed.isEmpty ? reached : allowed)
        }
        return isWanted ? try .own(folder: folder, names: names) : nil
    }
}
