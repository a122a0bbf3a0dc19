internal import CRealtime
internal import Hub
internal import Tracking

/// A tracker on the pose thread: from its packets to its listener's head, and into words what is wrong with them.
struct TrackerFeed: Sendable {
    private var reader: TrackerReader
    private var alignment = TrackerAlignment()
    private var silence = TrackerSilence(timeout: 0, glide: 0)
    private var head: ListenerHead
    private let source: HeadArbiter.Source
    let status: TrackerStatus
    /// What notices begin with.
    private let name: String
    private let report: @Sendable (String) -> Void
    /// What has been said: a sender makes the same mistake a hundred times a second.
    private var said: Set<String> = []
    private static let mostSaid = 32
    /// Receive time of the newest packet, and when it was last looked at silence, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0
    private var looked: UInt64 = 0
    /// When the sender took what is being read, the same; 0 when unknown.
    private var taken: UInt64 = 0

    /// - Parameters:
    ///   - source: the tracker's number among those of its listener.
    ///   - status: nil for a tracker that nobody watches.
    init(
        _ profile: TrackerProfile, name: String, source: HeadArbiter.Source, head: ListenerHead,
        status: TrackerStatus = .init(), report: @escaping @Sendable (String) -> Void
    ) {
        reader = TrackerReader(profile)
        self.name = name
        self.source = source
        self.head = head
        self.status = status
        self.report = report
    }

    var profile: TrackerProfile { reader.profile }
    func knows(_ address: String) -> Bool { reader.knows(address) }

    var settings: TrackerSettings {
        get { alignment.settings }
        set {
            alignment.settings = newValue
            reader.map = newValue.map
            (silence.timeout, silence.glide) = (newValue.timeout, newValue.glide)
        }
    }

    /// Turns another head from now on; the old one is anybody's.
    mutating func turn(_ head: ListenerHead) {
        leave()
        self.head = head
    }

    func leave() { head.forget(source) }

    /// When there is something to do without a packet, CLOCK_MONOTONIC nanoseconds: axes that wait for others become a
    /// pose, or the head of a silent tracker glides home.
    var nextDue: UInt64? { [reader.nextDue, silence.nextDue(now: looked)].compactMap { $0 }.min() }

    /// Reads a whole datagram. Bundles apply at once: the clocks of phones are seldom right.
    /// - Returns: how many poses came of it.
    mutating func take(datagram bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0) -> Int {
        taken = senderTime
        defer { taken = 0 }
        if reader.profile.isRaw { return finish(reader.read(datagram: bytes), receiveTime) }
        do {
            return try OSCPacket.parse(bytes, receiveTime: receiveTime).reduce(0) { $0 + take($1.message) }
        } catch {
            say("\(error)", isWrong: true)
            return 0
        }
    }

    /// - Returns: how many poses came of it, 0 or 1.
    mutating func take(_ message: Message) -> Int {
        let before = taken
        if message.senderTime != 0 { taken = message.senderTime }
        defer { taken = before }
        let reading = reader.read(
            address: message.address, arguments: message.arguments, now: message.receiveTime)
        // Trackers send much else: batteries, accelerations. It is said once and is no mistake.
        if !reading.isKnown { say("\(message.address) is no orientation of this profile and is ignored", isWrong: false) }
        return finish(reading, message.receiveTime, address: message.address)
    }

    /// Takes a pose of the tracker itself, w x y z.
    mutating func take(_ quaternion: SIMD4<Float>, receiveTime: UInt64) -> Int {
        finish(reader.read(quaternion: quaternion), receiveTime)
    }

    /// Does what is due; see ``nextDue``.
    mutating func release(now: UInt64) -> Int {
        looked = now
        if let reading = reader.release(now: now) { return finish(reading, newest) }
        guard let pose = silence.pose(now: now, home: head.home) else { return 0 }
        let isTurned = head.glide(source, pose, now: now)
        status.change {
            $0.isHome = true
            $0.isInCharge = false
            if isTurned { $0.head = pose }
        }
        return 0
    }

    private mutating func finish(_ reading: TrackerReading, _ receiveTime: UInt64, address: String? = nil) -> Int {
        newest = receiveTime
        if let problem = reading.problem { say((address.map { $0 + ": " } ?? "") + problem.description, isWrong: true) }
        guard let tracker = reading.pose else { return 0 }
        var pose = alignment.head(tracker, now: receiveTime)
        // What is only tilted looks where the head looked before.
        if !profile.forms[reading.form].hasYaw {
            pose = Orientation.turned(pose, yaw: Orientation.angles(head.pose).yaw - Orientation.angles(pose).yaw)
        }
        silence.note(pose, now: receiveTime)
        let isTurned = head.offer(source, pose, receiveTime: receiveTime, senderTime: taken)
        status.change {
            $0.poses += 1
            $0.receiveTime = receiveTime
            ($0.head, $0.raw, $0.form) = (pose, reading.raw ?? tracker, reading.form)
            ($0.isInCharge, $0.isHome, $0.correction) = (isTurned, false, alignment.correction)
        }
        return isTurned ? 1 : 0
    }

    private mutating func say(_ text: String, isWrong: Bool) {
        guard said.count < Self.mostSaid, said.insert(text).inserted else { return }
        if isWrong { status.change { $0.problem = text } }
        report("\(name): \(text)")
    }
}
