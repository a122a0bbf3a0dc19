internal import CDatagram
internal import Glibc

/// A UDP socket that sends to one place. Nothing waits: what the kernel cannot take is lost.
public final class DatagramSender {
    private let socket: Int32

    /// - Throws: ``OSCReceiverError`` naming the place, when its name is not known.
    public init(host: String, port: UInt16) throws(OSCReceiverError) {
        socket = datagram_connect(host, port)
        guard socket >= 0 else {
            throw .noDestination(host: host, port: port, reason: String(cString: strerror(-socket)))
        }
    }

    deinit { if socket >= 0 { datagram_close(socket) } }

    /// - Returns: false when it was not sent; nobody listens there, perhaps.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { datagram_send_connected(socket, $0.baseAddress, Int32($0.count)) } == 0
    }
}
