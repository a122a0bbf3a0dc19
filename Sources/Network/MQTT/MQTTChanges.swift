internal import CRealtime
internal import Glibc
internal import Hub
internal import Parameters

/// Everything that has changed, in one message for each tenth of a second: a dashboard of moving values gets ten messages a second, however
/// many values move.
final class MQTTChanges {
    /// Nanoseconds between two messages.
    private static let interval: UInt64 = 100_000_000
    /// Seconds after which the broker drops a message that nobody has received.
    static let expiry: UInt32 = 1
    /// Approximate maximum number of bytes of a message; further values follow in the next one.
    private static let most = 32_768
    /// Beginning of the addresses that are left out: publishing the state of the connection would change it.
    private static let unpublished = "/mqtt/"

    private let hub: Hub
    private var subscriber: Subscriber?
    /// Time of the next message, CLOCK_MONOTONIC nanoseconds: calls that come late do not make later ones late.
    private var due: UInt64 = 0

    init(_ hub: Hub) { self.hub = hub }

    /// Starts with the changes from now on.
    func begin() {
        end()
        let subscriber = hub.subscribe {}
        _ = hub.listen(subscriber, to: "/")
        _ = subscriber.takePending()
        self.subscriber = subscriber
    }

    func end() {
        if let subscriber { hub.unsubscribe(subscriber) }
        subscriber = nil
    }

    /// The values that have changed since the last message, with the time in seconds since 1970; nil while none is due.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func take(now: UInt64) -> [UInt8]? {
        guard let subscriber, now >= due, subscriber.hasPending else { return nil }
        due = max(due + Self.interval, now)
        var (values, size): ([[UInt8]], Int) = ([], 0)
        subscriber.drainPending { index in
            let node = hub.tree.nodes[index]
            guard !node.address.isEmpty, !node.address.hasPrefix(Self.unpublished) else { return true }
            guard size < Self.most else { return false }
            let value = MQTTValue.quoted(node.address) + [UInt8(ascii: ":")] + MQTTValue.json(node.spec, hub.value(index))
            values.append(value)
            size += value.count + 1
            return true
        }
        guard !values.isEmpty else { return nil }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Double(time.tv_sec) + Double(time.tv_nsec / 1000) * 1e-6
        return Array("{\"time\":\(seconds),\"values\":{".utf8) + values.joined(separator: [UInt8(ascii: ",")]) + Array("}}".utf8)
    }
}
