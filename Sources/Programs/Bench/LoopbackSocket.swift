import Foundation

/// A client socket on this machine for benchmarks, closed on deinitialisation.
final class LoopbackSocket {
    let handle: Int32

    enum Kind { case tcp, udp }

    init?(_ kind: Kind, port: Int) {
        handle = socket(AF_INET, Int32(kind == .tcp ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(handle) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Returns received data, at most 64 KiB; empty at the end of the connection.
    func receive(waiting: Bool = true) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(handle, &piece, piece.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        return Array(piece[..<max(0, count)])
    }

    /// Returns all data up to the end of the connection.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while case let piece = receive(), !piece.isEmpty { all += piece }
        return String(decoding: all, as: UTF8.self)
    }

    /// Upgrades the connection to a WebSocket and reads the response.
    func upgrade(path: String, subprotocol: String? = nil) {
        let wanted = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        send(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dmVzdGlidWxlIGJlbmNoIQ==\r\nSec-WebSocket-Version: 13\r\n\(wanted)\r\n")
        _ = receive()
    }

    /// Sends a masked text frame of at most 125 bytes; the mask is zero.
    func sendText(_ text: String) {
        send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }
}
