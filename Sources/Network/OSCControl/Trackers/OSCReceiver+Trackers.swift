internal import CDatagram
public import Pose
internal import Synchronization

/// Attaches and detaches trackers while the pose thread runs. Called on the control thread.
extension OSCReceiver {
    /// Maximum number of trackers with a socket.
    public static var mostTrackers: Int { Int(DATAGRAM_SOCKETS) - 1 }

    /// Number of trackers to reserve room for, including a phone and trackers that are recognised or attached later.
    /// - Parameter attached: number of trackers at the start.
    public static func trackers(attached: Int) -> Int { min(max(4, attached + 2), mostTrackers) }

    /// Creates a socket pair for ``TrackerPlace/descriptor(_:)``: datagrams written to the second end are received at the first.
    /// - Throws: ``OSCReceiverError``.
    public static func pair() throws(OSCReceiverError) -> (reading: Int32, writing: Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) { datagram_pair($0.bindMemory(to: Int32.self).baseAddress) }
        guard result == 0 else { throw .tooManyTrackers(most: mostTrackers) }
        return (ends.0, ends.1)
    }

    public static func close(_ descriptor: Int32) { datagram_close(descriptor) }

    /// Attaches a tracker, replacing one with the same number.
    ///
    /// - Parameters:
    ///   - number: chosen by the caller, from 0.
    ///   - place: a descriptor becomes the property of the receiver, which closes it.
    ///   - listener: from 1; must exist.
    /// - Returns: the tracker's status and its UDP port; 0 when it has none.
    /// - Throws: ``OSCReceiverError``; the previous tracker of this number then stays attached.
    public func attach(
        _ number: Int, _ profile: TrackerProfile, at place: TrackerPlace, listener: Int, settings: TrackerSettings = .init()
    ) throws(OSCReceiverError) -> (status: TrackerStatus, port: UInt16) {
        try Self.attach(
            number, profile, at: place, listener: listener, settings: settings, loop: loop, host: host, heads: heads,
            sockets: &sockets, report: report)
    }

    static func attach(
        _ number: Int, _ profile: TrackerProfile, at place: TrackerPlace, listener: Int, settings: TrackerSettings?,
        loop: ReceiveLoop, host: String, heads: [ListenerHead], sockets: inout Set<Int>,
        report: @escaping @Sendable (String) -> Void
    ) throws(OSCReceiverError) -> (status: TrackerStatus, port: UInt16) {
        var socket: Int32 = -1
        var port: UInt16 = 0
        var name = "tracker \(profile.name)"
        switch place {
        case .port(let wanted):
            guard sockets.subtracting([number]).count < mostTrackers else { throw .tooManyTrackers(most: mostTrackers) }
            do {
                socket = try open(host, wanted, after: loop)
            } catch { throw .tracker(name: profile.name, port: wanted, reason: error.reason) }
            port = UInt16(clamping: datagram_port(socket))
            name += ":\(port)"
        case .oscPort: name += " on the OSC port"
        case .descriptor(let descriptor): socket = descriptor
        case .fed: break
        }
        if socket >= 0 { sockets.insert(number) } else { sockets.remove(number) }
        let status = TrackerStatus()
        var feed = TrackerFeed(
            profile, name: name, source: number, head: heads[listener - 1], status: status, report: report)
        if let settings { feed.settings = settings }
        loop.commands.post(.attach(number: number, feed, socket: socket, onOSCPort: place == .oscPort))
        return (status, port)
    }

    /// Opens a socket. When its port is in use, it may belong to a tracker detached just before, whose socket the pose thread closes.
    private static func open(_ host: String, _ port: UInt16, after loop: ReceiveLoop) throws(OSCReceiverError) -> Int32 {
        do { return try open(host, port) } catch {
            guard case .portInUse = error, loop.commands.waitUntilHandled() else { throw error }
            return try open(host, port)
        }
    }

    /// Detaches a tracker. Its port is free for the next ``attach(_:_:at:listener:settings:)``.
    public func detach(_ number: Int) {
        sockets.remove(number)
        loop.commands.post(.detach(number: number))
    }

    public func set(_ number: Int, _ settings: TrackerSettings) { loop.commands.post(.settings(number: number, settings)) }

    /// - Parameter listener: from 1.
    public func turn(_ number: Int, listener: Int) { loop.commands.post(.listener(number: number, listener - 1)) }

    /// Passes on an orientation of the tracker itself: w x y z in Vestibule's axes.
    public func feed(_ number: Int, _ quaternion: SIMD4<Float>, receiveTime: UInt64) {
        loop.commands.post(.pose(number: number, quaternion, receiveTime: receiveTime))
    }

    /// Records a manual change of a head that did not come through this receiver. Trackers at rest then leave the head alone.
    /// - Parameter listener: from 1.
    public func noteManual(listener: Int, _ quaternion: SIMD4<Float>) {
        loop.commands.post(.manual(listener: listener - 1, quaternion))
    }

    /// - Parameters:
    ///   - front: yaw in degrees of a head that looks straight ahead, to which heads of silent trackers return.
    ///   - listener: from 1.
    public func setFront(listener: Int, _ front: Float) { loop.commands.post(.front(listener: listener - 1, front)) }
}

/// A tracker on a UDP port: its profile and the listener whose head it controls.
///
/// The pose thread serves it on a dedicated socket.
public struct TrackerPort: Sendable {
    public var profile: TrackerProfile
    /// UDP port; 0 selects any free one.
    public var port: UInt16
    /// Listener number, from 1.
    public var listener: Int

    public init(_ profile: TrackerProfile, port: UInt16, listener: Int) {
        self.profile = profile
        self.port = port
        self.listener = listener
    }
}

/// Input from which a tracker's poses are received.
public enum TrackerPlace: Sendable, Equatable {
    /// A dedicated UDP port; 0 selects any free one.
    case port(UInt16)
    /// The OSC port, shared with all other messages.
    case oscPort
    /// The reading end of a socket pair to which a device's thread writes; closed when the tracker is detached.
    case descriptor(Int32)
    /// Poses passed to ``OSCReceiver/feed(_:_:receiveTime:)``.
    case fed
}

/// State of one tracker as seen by the pose thread. Any thread may read it.
public final class TrackerStatus: Sendable {
    public struct Reading: Sendable, Equatable {
        /// Number of poses since the tracker was attached.
        public var poses = 0
        /// Receive time of the newest pose, CLOCK_MONOTONIC nanoseconds; 0 before the first.
        public var receiveTime: UInt64 = 0
        /// Head orientation according to this tracker, w x y z, even while another source controls the head.
        public var head = SIMD4<Float>(1, 0, 0, 0)
        /// Tracker orientation before axis mapping, and the index of its form in the profile.
        public var raw = SIMD4<Float>(1, 0, 0, 0)
        public var form = 0
        /// Place of the head in the tracker's space, metres.
        public var place = SIMD3<Float>.zero
        /// Whether this tracker controls the head: among several, the last that moved does.
        public var isInCharge = false
        /// Whether the head is returning to the front, or has returned, because the tracker is silent.
        public var isHome = false
        /// Yaw in degrees that was straight ahead when the head was read, without the correction.
        public var centre = 0.0
        /// Accumulated drift correction in degrees.
        public var correction = 0.0
        /// Description of the current problem with the received data; empty for none.
        public var problem = ""
    }

    private let value = Mutex(Reading())

    init() {}

    public var reading: Reading { value.withLock { $0 } }

    func change(_ body: (inout Reading) -> Void) { value.withLock { body(&$0) } }
}
