internal import CDatagram
public import Glibc
internal import Synchronization
public import Threads

/// The thread of one device. It may block in ``wait(_:events:milliseconds:)`` and ends on request.
// SAFETY: `body` is called once, by the thread; `output` changes only where there is none; `thread` is used by the owner alone; everything
// else is constant or atomic.
public final class LinkThread: @unchecked Sendable {
    /// Becomes readable when the thread has to end.
    public let stopDescriptor: Int32
    /// Descriptor that packets are written to; -1 for none.
    private var output: Int32
    private let isStopped = Atomic(false)
    private let body: (LinkThread) -> Void
    private var thread: ProgramThread?

    /// Starts the thread at once.
    /// - Parameters:
    ///   - name: name of the thread as `top -H` shows it; at most 15 bytes.
    ///   - output: descriptor for packets, closed by the thread; -1 for none.
    ///   - body: work of the thread, which returns when ``shouldEnd`` is true.
    /// - Throws: ``ThreadError`` when the system does not allow the thread; `output` then stays open.
    public init(name: String, output: Int32 = -1, body: @escaping (LinkThread) -> Void) throws(ThreadError) {
        let wake = datagram_wake_open()
        guard wake >= 0 else { throw ThreadError(name: name, code: -wake) }
        (stopDescriptor, self.output, self.body) = (wake, output, body)
        do throws(ThreadError) { thread = try ProgramThread(name) { [self] in self.body(self) } } catch {
            self.output = -1
            throw error
        }
    }

    deinit {
        close(stopDescriptor)
        if output >= 0 { close(output) }
    }

    public var shouldEnd: Bool { isStopped.load(ordering: .acquiring) }

    /// Ends the thread.
    /// - Parameter waits: whether to return after the thread has ended; otherwise it ends shortly afterwards.
    public func stop(waits: Bool) {
        guard let thread else { return }
        isStopped.store(true, ordering: .releasing)
        datagram_wake(stopDescriptor)
        if waits { thread.join() }
        self.thread = nil
    }

    /// Sends one packet to the pose thread. A packet that does not fit into the queue is dropped, as on a network.
    public func send(_ packet: [UInt8]) { _ = datagram_send_connected(output, packet, Int32(packet.count)) }

    /// Waits until a descriptor is readable or has hung up, `milliseconds` have passed, or the thread has to end.
    /// - Parameter events: poll events to wait for.
    /// - Returns: true when the descriptor has an event.
    public func wait(_ descriptor: Int32 = -1, events: Int32 = POLLIN, milliseconds: Int32) -> Bool {
        var waited = [
            pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
        ]
        return poll(&waited, 2, milliseconds) > 0 && waited[1].revents != 0
    }
}
