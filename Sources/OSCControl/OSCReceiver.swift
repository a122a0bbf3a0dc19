internal import CDatagram
public import Crossing
internal import Glibc
public import Tracking

/// The UDP ports for OSC and for trackers, and the pose thread that serves them all.
///
/// Made and stopped by the control thread; the sockets are bound when it is made, served from ``start(wake:)`` on.
public final class OSCReceiver {
    /// The port it is bound to: the one asked for, or the one found free.
    public let port: UInt16
    /// The UDP ports of the trackers that it was made with, in the order given.
    public let trackerPorts: [UInt16]
    public let counters: OSCCounters
    public let admission: OSCAdmission
    public let clocks: SenderClocks
    let loop: ReceiveLoop
    let host: String
    let heads: [ListenerHead]
    let report: @Sendable (String) -> Void
    /// Trackers that have a socket, by number.
    var sockets: Set<Int> = []
    private var thread: pthread_t?

    /// Kernel memory for datagrams that wait, in bytes: a second of 20 trackers at 1000 poses each fits.
    private static let bufferSize: Int32 = 4 << 20

    /// - Parameters:
    ///   - host: address to bind.
    ///   - port: 0 takes any free one.
    ///   - inlets: one for each listener, made for this thread alone.
    ///   - queue: takes every message that is no pose, as the bytes of one OSC message (or a malformed packet whole).
    ///   - admission: who may send, to the trackers' ports too.
    ///   - clocks: by which senders' timetags are read.
    ///   - trackers: each gets a UDP port of its own and is numbered from 0; a listener that is none of `inlets` is an error of
    ///     the caller.
    ///   - report: told on the pose thread, in words, what was assumed or is wrong about a tracker.
    ///   - recognised: told on the pose thread the name of a profile whose address came at the OSC port.
    /// - Throws: ``OSCReceiverError``.
    public init(
        host: String, port: UInt16, inlets: [PoseInlet], queue: consuming RecordRing.Producer,
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
        let heads = inlets.map(ListenerHead.init)
        self.heads = heads
        loop = ReceiveLoop(
            socket: socket, wakeDescriptor: wake, heads: heads,
            foreign: heads.first.map { ForeignPoses(head: $0, report: report, recognised: recognised) }, queue: queue,
            counters: counters, admission: admission, clocks: clocks)
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

    /// Begins to receive, at a raised priority where that is allowed.
    ///
    /// - Parameter wake: called on the pose thread after messages were put into the queue.
    public func start(wake: @escaping @Sendable () -> Void) {
        guard thread == nil else { return }
        loop.notify = wake
        var made = pthread_t()
        let context = Unmanaged.passRetained(loop).toOpaque()
        let result = pthread_create(
            &made, nil,
            { context in
                Unmanaged<ReceiveLoop>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context)
        precondition(result == 0, "no thread for OSC: \(String(cString: strerror(result)))")
        thread = made
    }

    /// Sends one datagram from this port, without waiting; to addresses that may send to it, and to nobody else.
    /// - Returns: false when it did not get out.
    @discardableResult
    public func send(_ bytes: [UInt8], to address: NetworkAddress) -> Bool {
        guard admission.admits(address) else { return false }
        return bytes.withUnsafeBytes { loop.send($0, to: address) }
    }

    /// Keeps one message that came by another way until its time, and takes it then as if it had come here.
    ///
    /// - Parameter due: CLOCK_MONOTONIC nanoseconds.
    public func hold(_ message: [UInt8], until due: UInt64) { loop.post(.hold(message, until: due)) }

    /// Ends the thread, and returns when it has ended. Messages that still wait for their time are dropped.
    public func stop() {
        guard let thread else { return }
        loop.stop()
        pthread_join(thread, nil)
        self.thread = nil
    }
}
