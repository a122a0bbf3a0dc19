public import Hub
internal import Parameters
public import Session

/// Publishes what following engines need besides the parameters: racks and scenes when they change, and the transport.
final class SharedScene {
    /// Nanoseconds between checks of racks and scenes.
    private static let interval: UInt64 = 100_000_000
    /// Nanoseconds between two reports of a transport that continues as it was.
    private static let reportInterval: UInt64 = 100_000_000
    /// Seconds after which the broker drops a report.
    private static let expiry: UInt32 = 2
    /// Deviation from the expected position, in seconds, above which a recording is reported at once.
    private static let jump = 0.005
    /// Maximum number of bytes of racks and scenes that engines accept.
    static let largest = 200_000

    private let engine: any SharedEngine
    private let topics: MQTTTopics
    private var published: SessionFile?
    /// A message for which there was no room.
    private var unsent: MQTTPublication?
    private var reported: TransportReport?
    private var (looked, due): (UInt64, UInt64) = (0, 0)
    private var refusal: String?

    init(_ engine: any SharedEngine, _ topics: MQTTTopics) { (self.engine, self.topics) = (engine, topics) }

    /// Starts over with a broker that may have no states.
    func begin() { (published, unsent, reported, looked, due) = (nil, nil, nil, 0, 0) }

    /// Hands over what has changed.
    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    ///   - offer: returns false when the connection accepts no more for now.
    func publish(now: UInt64, _ offer: (MQTTPublication) -> Bool) {
        report(now: now, offer)
        if let publication = unsent, offer(publication) { unsent = nil }
        guard now >= looked + Self.interval else { return }
        looked = now
        let session = engine.shared
        if let published, Self.isSame(session, published) { return }
        published = session
        unsent = publication(session)
        if let publication = unsent, offer(publication) { unsent = nil }
    }

    /// Returns the reason why something is not published, once.
    func takeRefusal() -> String? {
        defer { refusal = nil }
        return refusal
    }

    private func report(now: UInt64, _ offer: (MQTTPublication) -> Bool) {
        let present = engine.present
        guard now >= due || reported.map({ Self.hasJumped(from: $0, to: present) }) != false else { return }
        let message = TransportMessage(present)
        let publication = MQTTPublication(topic: topics.transport, payload: message.json, isConfirmed: false, expiry: Self.expiry)
        if offer(publication) { (reported, due) = (present, now + Self.reportInterval) }
    }

    private static func hasJumped(from old: TransportReport, to new: TransportReport) -> Bool {
        guard (old.recording, old.state, old.loops) == (new.recording, new.state, new.loops) else { return true }
        guard new.state == TransportState.playing.number else { return old.position != new.position }
        return old.time > 0 && new.time > 0 && abs(new.difference(old.position(at: new.time) - new.position)) > jump
    }

    /// Whether racks have the same effects in the same order, whatever their settings are, and scenes are the same.
    private static func isSame(_ one: SessionFile, _ other: SessionFile) -> Bool {
        guard one.scenes == other.scenes, one.snapshot.racks.keys == other.snapshot.racks.keys else { return false }
        return one.snapshot.racks.allSatisfy { name, rack in
            other.snapshot.racks[name].map { rack == $0 || RackTransition.start(from: $0, to: rack) == $0 } ?? false
        }
    }

    private func publication(_ session: SessionFile) -> MQTTPublication? {
        var racks = SessionFile(recording: nil, snapshot: session.snapshot)
        racks.leavesOutScenes = true
        for content in [session, racks] {
            guard let text = try? content.encoded(), text.count <= Self.largest else {
                refusal = "racks and scenes of more than \(Self.largest) bytes are not shared with followers: remove scenes"
                continue
            }
            return MQTTPublication(topic: topics.session, payload: Array(text), isRetained: true)
        }
        return nil
    }
}

/// An engine whose session, scenes and transport others can mirror. Called on the control thread.
public protocol SharedEngine: AnyObject {
    /// Racks and scenes.
    var shared: SessionFile { get }
    /// The place in the recording that is heard.
    var present: TransportReport { get }
}
