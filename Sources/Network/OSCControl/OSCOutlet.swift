internal import CDatagram
internal import Dispatch
internal import Glibc
internal import Hub
public import Parameters
internal import Synchronization
internal import Threads

/// Sends OSC messages to other programs over UDP without waiting.
///
/// Each goes to one host: broadcast and multicast addresses are refused, also where a name resolves to one. Messages to numeric addresses
/// are sent at once. Host names are resolved on a thread of their own, in the order of their messages, so that a name server that does not
/// answer delays only messages to names.
public final class OSCOutlet {
    private struct Message: Sendable {
        let host: String
        let port: UInt16
        let bytes: [UInt8]
    }

    /// The queue between the control thread and the thread that resolves names.
    private final class Queue: Sendable {
        let waiting = Mutex<[Message]>([])
        let wake = DispatchSemaphore(value: 0)
    }

    private let queue = Queue()
    private var thread: ProgramThread?
    private let report: @Sendable (String) -> Void

    /// Maximum number of messages to host names that wait; further ones are dropped.
    public static var most: Int { 64 }

    /// - Parameter report: called on any thread with errors, in words.
    public init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// - Parameter host: a numeric address, or a name.
    public func send(_ address: String, _ arguments: [Argument], to host: String, port: UInt16) {
        let message = Message(host: host, port: port, bytes: OSCPacket.bytes(address, arguments))
        guard NetworkAddress(host: host) == nil else { return Self.send(message, report) }
        let isAccepted = queue.waiting.withLock { waiting in
            guard waiting.count < Self.most else { return false }
            waiting.append(message)
            return true
        }
        guard isAccepted else {
            return report("no OSC message was sent to \(host):\(port): \(Self.most) messages wait for host names to be resolved already")
        }
        do throws(ThreadError) { try startThread() } catch {
            queue.waiting.withLock { $0 = [] }
            return report("no OSC message was sent to \(host):\(port), because its name cannot be resolved: \(error)")
        }
        queue.wake.signal()
    }

    private func startThread() throws(ThreadError) {
        guard thread == nil else { return }
        thread = try ProgramThread("OSC out") { [queue, report] in
            while true {
                queue.wake.wait()
                // It stays in the queue while its name is resolved, and so counts towards the limit.
                guard let message = queue.waiting.withLock({ $0.first }) else { continue }
                Self.send(message, report)
                queue.waiting.withLock { _ = $0.removeFirst() }
            }
        }
    }

    private static func send(_ message: Message, _ report: (String) -> Void) {
        do throws(OSCReceiverError) {
            let sender = try DatagramSender(host: message.host, port: message.port, isSingle: true)
            if !sender.send(message.bytes) { report("no OSC message was sent to \(message.host):\(message.port): the system refused it") }
        } catch { report("no OSC message was sent: \(error)") }
    }
}

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
