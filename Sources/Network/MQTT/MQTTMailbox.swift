internal import CMosquitto
internal import Glibc
internal import Synchronization

/// Exchanges messages between the control thread and the thread that talks to the broker. Neither waits for the other.
///
/// Both sides are bounded: messages that do not fit stay with the sender, or are dropped and counted.
final class MQTTMailbox: Sendable {
    private struct Contents {
        var isOpen = false
        var outgoing: [MQTTPublication] = []
        var arrivals: [MQTTArrival] = []
        /// Topics of retained states that were found at the broker.
        var found: [String] = []
        var events: [MQTTEvent] = []
        var dropped = 0
    }

    /// Everything that has arrived since the last check.
    struct Delivery {
        var events: [MQTTEvent]
        var arrivals: [MQTTArrival]
        var found: [String]
        /// Commands that were dropped because too many came.
        var dropped: Int
    }

    static let mostOutgoing = 1000
    static let mostArrivals = 256
    private static let mostFound = 16_384
    private static let mostEvents = 64

    private let contents = Mutex(Contents())
    private let stopped = Atomic(false)
    /// Signals the broker's thread; -1 when the process has no descriptor left.
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    private let wakeControl: @Sendable () -> Void

    init(wakeControl: @escaping @Sendable () -> Void) { self.wakeControl = wakeControl }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // MARK: Control thread

    /// Hands over messages as long as there is room.
    /// - Returns: whether the message was taken; false without a connection.
    func offer(_ publication: MQTTPublication) -> Bool {
        let (isTaken, isFirst) = contents.withLock { contents in
            guard contents.isOpen, contents.outgoing.count < Self.mostOutgoing else { return (false, false) }
            contents.outgoing.append(publication)
            return (true, contents.outgoing.count == 1)
        }
        if isFirst { ring() }
        return isTaken
    }

    /// - Parameter withArrivals: false leaves commands here, where their number is bounded.
    func take(withArrivals: Bool = true) -> Delivery {
        contents.withLock { contents in
            defer {
                (contents.events, contents.found, contents.dropped) = ([], [], 0)
                if withArrivals { contents.arrivals = [] }
            }
            return Delivery(
                events: contents.events, arrivals: withArrivals ? contents.arrivals : [], found: contents.found, dropped: contents.dropped)
        }
    }

    /// Removes and returns the oldest commands.
    func takeArrivals(atMost count: Int) -> [MQTTArrival] {
        contents.withLock { contents in
            let taken = Array(contents.arrivals.prefix(count))
            contents.arrivals.removeFirst(taken.count)
            return taken
        }
    }

    func stop() {
        stopped.store(true, ordering: .releasing)
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    // MARK: Broker's thread

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Resets the descriptor after it was readable.
    func acknowledge() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Removes and returns the oldest messages.
    func takeOutgoing(atMost count: Int) -> [MQTTPublication] {
        guard count > 0 else { return [] }
        return contents.withLock { contents in
            let taken = Array(contents.outgoing.prefix(count))
            contents.outgoing.removeFirst(taken.count)
            return taken
        }
    }

    /// Reports a change of the connection. Messages are taken from the control thread only while there is one.
    func report(_ event: MQTTEvent) {
        contents.withLock { contents in
            switch event {
            case .connected: contents.isOpen = true
            case .connecting, .lost:
                contents.isOpen = false
                contents.outgoing.removeAll()
                contents.found.removeAll()
            case .refused: break
            }
            if contents.events.count == Self.mostEvents { contents.events.removeFirst() }
            contents.events.append(event)
        }
        wakeControl()
    }

    func deliver(_ arrival: MQTTArrival) {
        contents.withLock { contents in
            guard contents.arrivals.count < Self.mostArrivals else { return contents.dropped += 1 }
            contents.arrivals.append(arrival)
        }
        wakeControl()
    }

    /// Counts a command that was dropped unread.
    func drop() { contents.withLock { $0.dropped += 1 } }

    func found(_ topic: String) {
        contents.withLock { if $0.found.count < Self.mostFound { $0.found.append(topic) } }
        wakeControl()
    }
}

/// A change of the connection.
enum MQTTEvent: Sendable, Equatable {
    case connecting
    case connected
    /// The connection was lost or could not be made.
    case lost(String)
    /// The connection holds, but the broker refuses something.
    case refused(String)
}
