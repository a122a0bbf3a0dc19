internal import Hub
internal import OSCControl

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
