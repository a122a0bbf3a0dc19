internal import CWebSockets
internal import Glibc

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
