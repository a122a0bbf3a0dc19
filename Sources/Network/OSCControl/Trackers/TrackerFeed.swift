internal import CRealtime
internal import Hub
internal import Pose

/// A tracker on the pose thread: converts its packets into head poses and reports problems with them.
struct TrackerFeed: Sendable {
    private var reader: TrackerReader
    private var alignment = TrackerAlignment()
    private var silence = TrackerSilence(timeout: 0, returnTime: 0)
    private var head: ListenerHead
    private let source: HeadArbiter.Source
    let status: TrackerStatus
    /// Prefix of every report.
    private let name: String
    private let report: @Sendable (String) -> Void
    /// Reports made so far. A sender may repeat the same error a hundred times per second.
    private var reported: Set<String> = []
    private static let maximumReports = 32
    /// Receive time of the newest packet, and time of the last check for silence, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0
    private var lastCheck: UInt64 = 0
    /// Sender time of the packet being read, CLOCK_MONOTONIC nanoseconds; 0 when unknown.
    private var senderTimestamp: UInt64 = 0

    /// - Parameters:
    ///   - source: the tracker's source number for the arbiter of its listener.
    ///   - status: receives the tracker's state.
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
            (silence.timeout, silence.returnTime) = (newValue.timeout, newValue.returnTime)
        }
    }

    /// Controls another head from now on and releases the previous one.
    mutating func turn(_ head: ListenerHead) {
        leave()
        self.head = head
    }

    func leave() { head.forget(source) }

    /// Time of the next action without a packet, CLOCK_MONOTONIC nanoseconds: releasing pending axes as a pose, or moving
    /// the head of a silent tracker towards the front.
    var nextDue: UInt64? { [reader.nextDue, silence.nextDue(now: lastCheck)].compactMap { $0 }.min() }

    /// Reads a whole datagram. Bundles apply at once, because the clocks of phones are seldom accurate.
    /// - Returns: the number of poses sent.
    mutating func take(datagram bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0) -> Int {
        senderTimestamp = senderTime
        defer { senderTimestamp = 0 }
        if reader.profile.isRaw { return finish(reader.read(datagram: bytes), receiveTime) }
        do {
            return try OSCPacket.parse(bytes, receiveTime: receiveTime).reduce(0) { $0 + take($1.message) }
        } catch {
            reportOnce("\(error)", isWrong: true)
            return 0
        }
    }

    /// - Returns: the number of poses sent, 0 or 1.
    mutating func take(_ message: Message) -> Int {
        let before = senderTimestamp
        if message.senderTime != 0 { senderTimestamp = message.senderTime }
        defer { senderTimestamp = before }
        let reading = reader.read(
            address: message.address, arguments: message.arguments, now: message.receiveTime)
        // Trackers also send battery levels, accelerations and the like: not an error, but reported once.
        if !reading.isKnown { reportOnce("\(message.address) is not an orientation in this profile and was ignored", isWrong: false) }
        return finish(reading, message.receiveTime, address: message.address)
    }

    /// Processes an orientation of the tracker itself, w x y z.
    mutating func take(_ quaternion: SIMD4<Float>, receiveTime: UInt64) -> Int {
        finish(reader.read(quaternion: quaternion), receiveTime)
    }

    /// Performs the actions that are due; see ``nextDue``.
    mutating func release(now: UInt64) -> Int {
        lastCheck = now
        if let reading = reader.release(now: now) { return finish(reading, newest) }
        guard let pose = silence.pose(now: now, home: head.home) else { return 0 }
        let isTurned = head.turnHome(source, pose, now: now)
        status.change {
            $0.isHome = true
            $0.isInCharge = false
            if isTurned { $0.head = pose }
        }
        return 0
    }

    private mutating func finish(_ reading: TrackerReading, _ receiveTime: UInt64, address: String? = nil) -> Int {
        newest = receiveTime
        if let problem = reading.problem { reportOnce((address.map { $0 + ": " } ?? "") + problem.description, isWrong: true) }
        guard let tracker = reading.pose else { return 0 }
        var pose = alignment.head(tracker, now: receiveTime)
        // A tracker that measures only tilt keeps the head's previous yaw.
        if !profile.forms[reading.form].hasYaw {
            pose = Orientation.turned(pose, yaw: Orientation.angles(head.pose).yaw - Orientation.angles(pose).yaw)
        }
        silence.note(pose, now: receiveTime)
        let isTurned = head.offer(
            source, pose, place: alignment.place(reading.place), receiveTime: receiveTime, senderTime: senderTimestamp)
        status.change {
            $0.poses += 1
            if let place = reading.place { $0.place = place }
            $0.receiveTime = receiveTime
            ($0.head, $0.raw, $0.form) = (pose, reading.raw ?? tracker, reading.form)
            ($0.isInCharge, $0.isHome) = (isTurned, false)
            ($0.centre, $0.correction) = (alignment.settings.centre, alignment.correction)
        }
        return isTurned ? 1 : 0
    }

    private mutating func reportOnce(_ text: String, isWrong: Bool) {
        guard reported.count < Self.maximumReports, reported.insert(text).inserted else { return }
        if isWrong { status.change { $0.problem = text } }
        report("\(name): \(text)")
    }
}
