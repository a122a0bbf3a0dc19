internal import CDatagram
internal import Glibc

/// A UDP socket that sends to one destination without blocking. Datagrams that the kernel cannot accept are lost.
public final class DatagramSender {
    private let socket: Int32

    /// - Parameter isSingle: whether addresses of several hosts, and 0.0.0.0, are refused.
    /// - Throws: ``OSCReceiverError`` when the host name cannot be resolved.
    public init(host: String, port: UInt16, isSingle: Bool = false) throws(OSCReceiverError) {
        socket = datagram_connect(host, port, isSingle)
        guard !isSingle || socket != -EACCES else { throw .noSingleHost(host: host) }
        guard socket >= 0 else {
            throw .noDestination(host: host, port: port, reason: String(cString: strerror(-socket)))
        }
    }

    deinit { if socket >= 0 { datagram_close(socket) } }

    /// - Returns: false when it was not sent, for example because the destination port is closed.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        func attempt() -> Int32 { bytes.withUnsafeBytes { datagram_send_connected(socket, $0.baseAddress, Int32($0.count)) } }
        let result = attempt()
        // This reports that an earlier datagram was refused, once; the present one has not been sent.
        return result == -ECONNREFUSED ? attempt() == 0 : result == 0
    }
}
