internal import CWebSockets
internal import Glibc
internal import Hub
internal import OSCControl

/// A client's connection: valid until ``LaterAnswers/remove(_:)`` or the end of its WebSocket.
package struct Connection: Hashable {
    let wsi: OpaquePointer

    /// Address of the client, behind trusted proxies as well.
    package var client: String { PeerName.of(wsi) }
    /// Whether it uses TLS.
    package var isSecure: Bool { lws_is_ssl(wsi) != 0 }

    /// Its WebSocket; nil before it is open.
    package var socket: SocketConnection? { SocketConnection.of(wsi) }

    /// Asks to be written to when the socket has room: see ``LaterAnswers/take(_:)`` and ``SocketClient/nextFrame()``.
    package func requestWriting() { lws_callback_on_writable(wsi) }

    /// Reads nothing more from the client. The library would be woken forever by bytes that it may not read, or by the end of the
    /// connection.
    package func pauseReading() { lws_rx_flow_control(wsi, 0) }
    package func resumeReading() { lws_rx_flow_control(wsi, 1) }

    /// Ends the library's limit on the time between two pieces of a body; that of ``RequestDeadlines`` remains.
    package func endPieceTimeout() { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0) }

    /// Closes the connection after the present turn.
    package func close() { lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, lws_kill_async) }
}

/// The address of a client, without the port.
enum PeerName {
    /// Address of the client of a connection; behind a trusted proxy, the one that the proxy names.
    static func of(_ wsi: OpaquePointer) -> String { ServerEvents.of(wsi)?.forwarded[wsi] ?? connected(wsi) }

    /// Address of the other end of a connection, which may be a proxy.
    static func connected(_ wsi: OpaquePointer) -> String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(lws_get_socket_fd(wsi), $0, &length) }
        }
        return result == 0 ? text(storage, length) : ""
    }

    /// An address in its usual notation; IPv4 addresses without the prefix of their IPv6-mapped form.
    static func text(_ storage: sockaddr_storage, _ length: socklen_t) -> String {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return "" }
                return plain(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
        }
    }

    private static func plain(_ name: String) -> String { name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name }
}

/// The address under which a client reaches this machine.
enum LocalAddress {
    /// - Parameter bound: the address that a port is bound to.
    /// - Returns: that address; for a port that is bound to every address, the one that the connection came to.
    static func reachable(_ bound: String, by connection: Connection) -> String {
        guard bound == "0.0.0.0" || bound == "::" else { return bound }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                guard getsockname(lws_get_socket_fd(connection.wsi), address, &length) == 0,
                    getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { return bound }
                let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                return name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
            }
        }
    }
}

/// Addresses of clients that come through trusted reverse proxies, from the header `X-Forwarded-For`.
///
/// Each proxy appends the address that it sees, so that only the entries at the end are certain: the last one that is not a trusted proxy
/// is the client. Anything before it may have been sent by the client.
final class ForwardedNames {
    private let proxies: [AddressRange]
    /// By connection, from its latest request.
    private var names: [OpaquePointer: String] = [:]

    init(proxies: [AddressRange]) { self.proxies = proxies }

    func isProxy(_ address: String) -> Bool {
        guard !proxies.isEmpty, let address = NetworkAddress(host: address) else { return false }
        return proxies.contains { $0.contains(address) }
    }

    /// The client's address in a header; nil when it has none, or one that is not numeric.
    func client(in header: String) -> String? {
        for entry in header.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = NetworkAddress(host: Self.host(entry)) else { return nil }
            if !proxies.contains(where: { $0.contains(address) }) { return address.host }
        }
        return nil
    }

    /// An entry without the port that some proxies add, and without the brackets of an IPv6 address: `[2001:db8::7]:51008`.
    private static func host(_ entry: Substring) -> String {
        let text = entry.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return text.count { $0 == ":" } == 1 ? String(text.prefix { $0 != ":" }) : text
    }

    /// Reads the header of a request. Call first, and for each request: a proxy sends those of many clients over one connection.
    func note(_ wsi: OpaquePointer) {
        guard !proxies.isEmpty else { return }
        names[wsi] = isProxy(PeerName.connected(wsi)) ? Request(wsi).header(WSI_TOKEN_X_FORWARDED_FOR).flatMap(client) : nil
    }

    func remove(_ wsi: OpaquePointer) { names[wsi] = nil }

    /// The address of a connection's latest request; nil without a proxy.
    subscript(wsi: OpaquePointer) -> String? { names[wsi] }
}
