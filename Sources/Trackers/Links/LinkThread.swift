internal import CDatagram
internal import CRealtime
internal import Glibc
internal import Synchronization

/// The thread of one device: it may wait as long as it likes, and ends when it is told to.
// SAFETY: `body` is called once, by the thread; everything else is constant or atomic.
final class LinkThread: @unchecked Sendable {
    /// Readable from the moment the thread is to end.
    let stopDescriptor: Int32
    /// Where packets are written to.
    private let output: Int32
    private let name: String
    private let isStopped = Atomic(false)
    private let body: (LinkThread) -> Void
    private var thread: pthread_t?

    /// Starts at once.
    /// - Parameters:
    ///   - name: of the thread, as `top -H` shows it; at most 15 bytes.
    ///   - output: taken over.
    ///   - body: what the thread does until ``shouldEnd``.
    init(name: String, output: Int32, body: @escaping (LinkThread) -> Void) {
        self.name = name
        self.output = output
        self.body = body
        stopDescriptor = datagram_wake_open()
        var made = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &made, nil,
            { context in
                let link = Unmanaged<LinkThread>.fromOpaque(context!).takeRetainedValue()
                realtime_name_thread(link.name)
                link.body(link)
                return nil
            }, context)
        precondition(result == 0, "cannot start a tracker thread: \(String(cString: strerror(result)))")
        thread = made
    }

    deinit {
        close(stopDescriptor)
        close(output)
    }

    var shouldEnd: Bool { isStopped.load(ordering: .acquiring) }

    /// Tells the thread to end.
    /// - Parameter waits: returns when it has; else it ends by itself soon.
    func stop(waits: Bool) {
        guard let thread else { return }
        isStopped.store(true, ordering: .releasing)
        datagram_wake(stopDescriptor)
        if waits { pthread_join(thread, nil) } else { pthread_detach(thread) }
        self.thread = nil
    }

    /// One packet to the pose thread; when that is behind, the packet is lost, as it would be on a network.
    func send(_ packet: [UInt8]) { _ = datagram_send_connected(output, packet, Int32(packet.count)) }

    /// Waits until a descriptor is readable (or has hung up), `milliseconds` are over or the thread is to end.
    /// - Parameter events: what is waited for beside the end.
    /// - Returns: true when the descriptor has something.
    func wait(_ descriptor: Int32 = -1, events: Int32 = POLLIN, milliseconds: Int32) -> Bool {
        var waited = [
            pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
        ]
        return poll(&waited, 2, milliseconds) > 0 && waited[1].revents != 0
    }
}
