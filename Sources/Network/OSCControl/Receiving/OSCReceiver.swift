internal import CDatagram
public import Crossing
internal import Glibc
public import Hub
public import Pose
public import Threads

/// The UDP ports for OSC and trackers, and the pose thread that serves them.
///
/// Created and stopped by the control thread. The initialiser binds the sockets; ``start(wake:)`` begins to serve them.
public final class OSCReceiver {
    /// The UDP port in use: the requested one, or the free one that was found.
    public let port: UInt16
    /// The UDP ports of the trackers passed to the initialiser, in the same order.
    public let trackerPorts: [UInt16]
    public let counters: OSCCounters
    public let admission: OSCAdmission
    public let clocks: SenderClocks
    /// The addresses that the control thread handles.
    public let filter = AddressFilter()
    let loop: ReceiveLoop
    let host: String
    let heads: [ListenerHead]
    let report: @Sendable (String) -> Void
    /// Trackers that have a socket, by number.
    var sockets: Set<Int> = []
    private var thread: ProgramThread?

    /// Kernel receive buffer in bytes: enough for one second of 20 trackers with 1000 poses each.
    private static let bufferSize: Int32 = 4 << 20

    /// - Parameters:
    ///   - host: address to bind.
    ///   - port: 0 selects any free one.
    ///   - inlets: one for each listener, used only by the pose thread.
    ///   - presence: whether the listener of each inlet is present; without it, all are always present.
    ///   - queue: receives every other message, as the bytes of one OSC message (or of a whole malformed packet).
    ///   - admission: the addresses allowed to send, also to the trackers' ports.
    ///   - clocks: the senders' clocks, used to interpret timetags.
    ///   - trackers: each gets a dedicated UDP port and is numbered from 0; its listener must be one of `inlets`.
    ///   - report: called on the pose thread with assumptions about and problems with trackers.
    ///   - recognised: called on the pose thread with the name of a profile recognised on the OSC port.
    /// - Throws: ``OSCReceiverError``.
    public init(
        host: String, port: UInt16, inlets: [PoseInlet], presence: [Parcel<Switch.Realtime>] = [], queue: consuming DatagramRing.Producer,
        counters: OSCCounters = .init(), admission: OSCAdmission = .init(), clocks: SenderClocks = .init(),
        trackers: [TrackerPort] = [],
        report: @escaping @Sendable (String) -> Void = { _ in },
        recognised: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(OSCReceiverError) {
        let socket = try Self.open(host, port)
        let wake = datagram_wake_open()
        guard wake >= 0 else {
            datagram_close(socket)
            throw OSCReceiverError.other(host: host, port: port, reason: String(cString: strerror(-wake)))
        }
        self.host = host
        self.port = UInt16(clamping: datagram_port(socket))
        self.counters = counters
        self.admission = admission
        self.clocks = clocks
        self.report = report
        let heads = inlets.enumerated().map { ListenerHead($1, presence: presence.isEmpty ? nil : presence[$0]) }
        self.heads = heads
        loop = ReceiveLoop(
            socket: socket, wakeDescriptor: wake, heads: heads,
            foreign: heads.first.map { ForeignPoses(head: $0, report: report, recognised: recognised) }, queue: queue,
            counters: counters, admission: admission, clocks: clocks, filter: filter)
        var ports: [UInt16] = []
        var open: Set<Int> = []
        for (number, tracker) in trackers.enumerated() {
            let (_, port) = try Self.attach(
                number, tracker.profile, at: .port(tracker.port), listener: tracker.listener, settings: nil, loop: loop,
                host: host, heads: heads, sockets: &open, report: report)
            ports.append(port)
        }
        trackerPorts = ports
        sockets = open
    }

    static func open(_ host: String, _ port: UInt16) throws(OSCReceiverError) -> Int32 {
        let socket = datagram_open(host, port, bufferSize)
        guard socket < 0 else { return socket }
        switch -socket {
        case EADDRINUSE: throw .portInUse(host: host, port: port)
        case EACCES: throw .portNotAllowed(host: host, port: port)
        case EADDRNOTAVAIL: throw .noSuchAddress(host: host)
        default: throw .other(host: host, port: port, reason: String(cString: strerror(-socket)))
        }
    }

    deinit { stop() }

    /// Starts the pose thread, with realtime priority where permitted.
    ///
    /// - Parameter wake: called on the pose thread after messages were added to the queue.
    /// - Throws: ``ThreadError`` when the system does not allow the thread.
    public func start(wake: @escaping @Sendable () -> Void) throws(ThreadError) {
        guard thread == nil else { return }
        loop.notify = wake
        thread = try ProgramThread("pose") { [loop] in loop.run() }
    }

    /// Sends one datagram from this port without waiting, only to addresses that are allowed to send to it.
    /// - Returns: false when it was not sent.
    @discardableResult
    public func send(_ bytes: [UInt8], to address: NetworkAddress) -> Bool {
        guard admission.admits(address) else { return false }
        return bytes.withUnsafeBytes { loop.send($0, to: address) }
    }

    /// Holds a message from another input until its time, then handles it as if it had been received here.
    ///
    /// - Parameters:
    ///   - due: CLOCK_MONOTONIC nanoseconds.
    ///   - client: its sender, against whose limit it counts.
    public func hold(_ message: [UInt8], until due: UInt64, of client: NetworkAddress?) {
        loop.commands.post(.hold(message, until: due, owner: client ?? .nowhere))
    }

    /// The reason not to hold a message until a time that is too far ahead; nil for a time within the hour that messages may wait.
    ///
    /// - Parameters:
    ///   - due, now: CLOCK_MONOTONIC nanoseconds.
    public static func refusal(ofTime due: UInt64, now: UInt64) -> String? {
        guard due > now, due - now > HeldMessages.horizon else { return nil }
        return TimedRefusal.words(ahead: due - now)
    }

    /// Stops the pose thread and waits for it to end. Messages still held are dropped.
    public func stop() {
        guard let thread else { return }
        loop.stop()
        thread.join()
        self.thread = nil
    }
}

/// Failure to open a UDP port, with a description that contains a remedy.
public enum OSCReceiverError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: UInt16)
    case portNotAllowed(host: String, port: UInt16)
    case noSuchAddress(host: String)
    case tracker(name: String, port: UInt16, reason: String)
    case tooManyTrackers(most: Int)
    case noDestination(host: String, port: UInt16, reason: String)
    case noSingleHost(host: String)
    case other(host: String, port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "UDP port \(port) of \(host) is in use; choose another with --osc-port, 0 for any free one"
        case .portNotAllowed(let host, let port):
            "this user is not permitted to open UDP port \(port) of \(host); choose a port of 1024 or above with --osc-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another with --bind"
        case .tracker(let name, let port, let reason):
            "tracker \(name): UDP port \(port) \(reason); name another with --tracker \(name):PORT"
        case .tooManyTrackers(let most): "at most \(most) trackers can have a port of their own; detach one, or use the OSC port"
        case .noDestination(let host, let port, let reason):
            "cannot send to UDP port \(port) of \(host): \(reason); check the host name"
        case .noSingleHost(let host):
            "\(host) is the address of several hosts or of none (broadcast, multicast, 0.0.0.0); name one host"
        case .other(let host, let port, let reason): "UDP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }

    /// The reason alone, without the port and the remedy.
    var reason: String {
        switch self {
        case .portInUse: "is in use"
        case .portNotAllowed: "is not allowed for this user"
        case .noSuchAddress(let host): "has no address \(host) on this machine"
        case .other(_, _, let reason), .tracker(_, _, let reason), .noDestination(_, _, let reason): "cannot be opened: \(reason)"
        case .noSingleHost(let host): "cannot be sent to: \(host) is not one host"
        case .tooManyTrackers: "exceeds the number of trackers"
        }
    }
}
