internal import CWebSockets
internal import Glibc

/// The address of the other end of a connection, without the port.
enum PeerName {
    static func of(_ wsi: OpaquePointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { memory in
            guard let name = lws_get_peer_simple(wsi, memory.baseAddress, memory.count) else { return "" }
            return plain(String(cString: name))
        }
    }

    /// The address of a connection that has just been accepted.
    static func of(_ arguments: UnsafePointer<lws_filter_network_conn_args>) -> String {
        var storage = arguments.pointee.cli_addr
        return withUnsafePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                let length = arguments.pointee.clilen
                guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { return "" }
                return plain(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
        }
    }

    private static func plain(_ name: String) -> String { name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name }
}
