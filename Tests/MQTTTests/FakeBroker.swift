import Foundation
import Glibc

/// A TCP server of this machine that sends the same bytes to everybody who connects, and ends the connection.
final class FakeBroker: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// - Parameter answer: bytes that follow the first packet of each client.
    init(_ answer: [UInt8]) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { break }
                Self.serve(client, answer)
                close(client)
            }
            // Not in `deinit`: another socket could have the number while this thread still uses it.
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ answer: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(client, &buffer, buffer.count)
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(client, Int32(SHUT_WR))
        while read(client, &buffer, buffer.count) > 0 {}
    }
}
