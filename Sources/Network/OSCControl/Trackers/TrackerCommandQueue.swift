internal import CDatagram
internal import Glibc
internal import Hub
internal import Pose
internal import Synchronization

/// Commands for the trackers, from any thread to the pose thread, which handles them in order.
final class TrackerCommandQueue: Sendable {
    private let waiting = Mutex<[TrackerCommand]>([])
    private let postedCount = Atomic(0)
    private let handledCount = Atomic(0)
    private let wakeDescriptor: Int32

    /// - Parameter wakeDescriptor: wakes the pose thread; it must outlive the queue.
    init(wakeDescriptor: Int32) { self.wakeDescriptor = wakeDescriptor }

    /// Queues a command, from any thread.
    func post(_ command: TrackerCommand) {
        waiting.withLock {
            $0.append(command)
            postedCount.add(1, ordering: .relaxed)
        }
        datagram_wake(wakeDescriptor)
    }

    /// Waits until the commands queued so far are handled: some microseconds, because the pose thread handles them when it wakes. For the
    /// thread that queues them.
    /// - Returns: false when they were not handled within 10 ms.
    func waitUntilHandled() -> Bool {
        let wanted = postedCount.load(ordering: .relaxed)
        for _ in 0..<200 {
            if handledCount.load(ordering: .acquiring) >= wanted { return true }
            usleep(50)
        }
        return false
    }

    /// Handles what waits, on the pose thread.
    func handle(_ body: (TrackerCommand) -> Void) {
        let commands = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for command in commands {
            body(command)
            handledCount.add(1, ordering: .releasing)
        }
    }
}

/// A command from the control thread to the pose thread.
enum TrackerCommand: Sendable {
    /// Attaches a tracker. The socket is -1 for one that shares the OSC port or is fed by the control thread.
    case attach(number: Int, TrackerFeed, socket: Int32, onOSCPort: Bool)
    case detach(number: Int)
    case settings(number: Int, TrackerSettings)
    case listener(number: Int, Int)
    /// Orientation of the tracker itself, w x y z.
    case pose(number: Int, SIMD4<Float>, receiveTime: UInt64)
    /// A manual change of this listener's head.
    case manual(listener: Int, SIMD4<Float>)
    /// Yaw in degrees that is straight ahead for this listener.
    case front(listener: Int, Float)
    /// A message from another input, to be held until its time, CLOCK_MONOTONIC nanoseconds; it counts against the limit of its owner.
    case hold([UInt8], until: UInt64, owner: NetworkAddress)
}
