internal import CWebSockets
internal import Glibc

/// The address of a client, without the port.
enum PeerName {
    /// The client of a connection, also of one that a trusted proxy has made.
    static func of(_ wsi: OpaquePointer) -> String { ServerEvents.of(wsi)?.forwarded[wsi] ?? connected(wsi) }

    /// The other end of a connection.
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
