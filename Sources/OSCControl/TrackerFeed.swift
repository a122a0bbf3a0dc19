internal import Hub
internal import Tracking

/// A tracker on the pose thread: from its packets to its listener's inlet, and into words what is wrong with them.
struct TrackerFeed {
    private var reader: TrackerReader
    private let inlet: PoseInlet
    /// What notices begin with.
    private let name: String
    private let report: @Sendable (String) -> Void
    /// What has been said: a sender makes the same mistake a hundred times a second.
    private var said: Set<String> = []
    private static let mostSaid = 32
    /// Receive time of the newest packet, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0
    /// When the sender took it, the same; 0 when unknown.
    private var taken: UInt64 = 0

    init(
        _ profile: TrackerProfile, name: String, inlet: PoseInlet, report: @escaping @Sendable (String) -> Void
    ) {
        reader = TrackerReader(profile)
        self.name = name
        self.inlet = inlet
        self.report = report
    }

    var profile: TrackerProfile { reader.profile }
    func knows(_ address: String) -> Bool { reader.knows(address) }

    /// When axes that wait for others become a pose, CLOCK_MONOTONIC nanoseconds.
    var nextDue: UInt64? { reader.nextDue }

    /// Reads a whole datagram. Bundles apply at once: the clocks of phones are seldom right.
    /// - Returns: how many poses came of it.
    mutating func take(datagram bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0) -> Int {
        taken = senderTime
        if reader.profile.isRaw { return finish(reader.read(datagram: bytes), receiveTime) }
        do {
            return try OSCPacket.parse(bytes, receiveTime: receiveTime).reduce(0) { $0 + take($1.message) }
        } catch {
            say("\(error)")
            return 0
        }
    }

    /// - Returns: how many poses came of it, 0 or 1.
    mutating func take(_ message: Message) -> Int {
        let reading = reader.read(
            address: message.address, arguments: message.arguments, now: message.receiveTime)
        // Trackers send much else: batteries, accelerations. It is said once and is no mistake.
        if !reading.isKnown { say("\(message.address) is no orientation of this profile and is ignored") }
        return finish(reading, message.receiveTime, address: message.address)
    }

    /// Sends the axes that have waited long enough.
    mutating func release(now: UInt64) -> Int {
        guard let pose = reader.release(now: now) else { return 0 }
        return inlet.send(quaternion: pose, receiveTime: newest) ? 1 : 0
    }

    private mutating func finish(_ reading: TrackerReading, _ receiveTime: UInt64, address: String? = nil) -> Int {
        newest = receiveTime
        if let problem = reading.problem { say((address.map { $0 + ": " } ?? "") + problem.description) }
        guard let pose = reading.pose else { return 0 }
        return inlet.send(quaternion: pose, receiveTime: receiveTime, senderTime: taken) ? 1 : 0
    }

    private mutating func say(_ text: String) {
        guard said.count < Self.mostSaid, said.insert(text).inserted else { return }
        report("\(name): \(text)")
    }
}
