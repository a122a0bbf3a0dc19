internal import Hub
internal import Synchronization

/// Counters of the pose thread since the start. Any thread may read them.
public final class OSCCounters: Sendable {
    let datagramCount = Atomic<Int>(0)
    let poseCount = Atomic<Int>(0)
    let droppedCount = Atomic<Int>(0)
    let refusedCount = Atomic<Int>(0)
    let strangerCount = Atomic<Int>(0)
    let unknownCount = Atomic<Int>(0)

    let timedRefusals = TimedRefusals()

    public init() {}

    /// Datagrams received.
    public var datagrams: Int { datagramCount.load(ordering: .relaxed) }
    /// Poses sent directly to their listener.
    public var poses: Int { poseCount.load(ordering: .relaxed) }
    /// Messages dropped because the queue to the control thread was full.
    public var dropped: Int { droppedCount.load(ordering: .relaxed) }
    /// Scheduled messages that were not held until their time: too far ahead, or too many.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }
    /// Messages to unknown addresses dropped because there were more than ``AddressGate/strangers`` per second.
    public var unknown: Int { unknownCount.load(ordering: .relaxed) }
    /// Datagrams refused because the sender's address is not allowed.
    public var strangers: Int { strangerCount.load(ordering: .relaxed) }
}

/// Messages that are not held until their time, by the cause and the sender.
struct TimedRefusal: Equatable {
    enum Cause {
        /// Too far ahead.
        case horizon
        /// The sender has used up its share of the queue.
        case share
        /// The queue is full, and the sender's machine has the most in it.
        case full
    }

    let cause: Cause
    let sender: NetworkAddress
    /// Nanoseconds between the present and the time of the message furthest ahead.
    var ahead: UInt64
    var count = 1

    init(_ cause: Cause, of sender: NetworkAddress, ahead: UInt64 = 0) {
        (self.cause, self.sender, self.ahead) = (cause, sender, ahead)
    }

    /// One sentence for the sender's user, and what to do.
    var words: String {
        let subject = "OSC port: \(counted(count, "timed message")) from \(sender.host)"
        let share = HeldMessages.share
        let most = HeldMessages.maximum
        return switch cause {
        case .horizon: "OSC port: timed messages from \(sender.host) were refused: \(Self.words(ahead: ahead))"
        case .share:
            "\(subject) refused because \(share.messages) messages, or \(share.bytes >> 20) MiB, of this sender are waiting already; "
                + "send bundles closer to their time"
        case .full:
            "\(subject) dropped because all senders together have \(most.messages) messages, or \(most.bytes >> 20) MiB, waiting, and "
                + "this one's machine has the most; send bundles closer to their time"
        }
    }

    /// The reason to refuse a message whose time is beyond the horizon.
    static func words(ahead: UInt64) -> String {
        let time = duration(ahead)
        return "they are dated \(time) ahead, and a bundle may wait \(duration(HeldMessages.horizon)) at most; if they were meant for now, "
            + "the sender's clock is \(time) ahead: set it, have it measured by /clock, or send bundles with the time 1, which means at "
            + "once"
    }

    /// A duration in minutes, hours or days, rounded.
    private static func duration(_ nanoseconds: UInt64) -> String {
        let minutes = Int(clamping: (nanoseconds + 30_000_000_000) / 60_000_000_000)
        if minutes < 120 { return counted(minutes, "minute") }
        return minutes < 48 * 60 ? "\((minutes + 30) / 60) hours" : "\((minutes + 720) / 1440) days"
    }
}

/// Refusals on their way from the pose thread to the control thread, one for each cause and machine.
final class TimedRefusals: Sendable {
    /// Refusals that wait; those of further machines are only counted.
    private static let capacity = 16
    private let waiting = Mutex<[TimedRefusal]>([])

    func note(_ refusal: TimedRefusal) {
        waiting.withLock { waiting in
            if let place = waiting.firstIndex(where: { $0.cause == refusal.cause && $0.sender.machine == refusal.sender.machine }) {
                waiting[place].count += 1
                waiting[place].ahead = max(waiting[place].ahead, refusal.ahead)
            } else if waiting.count < Self.capacity {
                waiting.append(refusal)
            }
        }
    }

    /// Returns the refusals since the last call.
    func take() -> [TimedRefusal] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
