internal import CEventLoop
internal import CRealtime
internal import CWebSockets
internal import Glibc
internal import Hub
internal import Parameters
internal import Synchronization

/// The loop of the control thread: waits for sockets and timers, and calls their handlers.
///
/// Waits in libev, whose cost depends on the number of events; the cost of libwebsockets' own poll() grows with the number of connections.
/// Everything here is used on the thread that calls ``WebServer/run()``; other threads hold the ``handle``.
public final class EventLoop {
    /// For other threads.
    public let handle = LoopHandle()
    /// Durations of the loop's turns.
    public let turns = TurnWatch()
    /// Called on the loop after ``LoopHandle/wake()``.
    public var onWake: () -> Void = {}
    /// Called on the loop after a wake, before ``onWake``, for the results of the server's own threads.
    var settle: () -> Void = {}

    private let hub: Hub
    private let loop: OpaquePointer
    private var context: ServerContext?
    private var acceptor: Acceptor?
    private var timers: [LoopTimer] = []
    /// Whether a timer of ``every(_:_:)`` could not be created.
    private(set) var lacksTimers = false
    /// Nanoseconds of a turn from which on it is logged.
    private static let slowTurn: UInt64 = 20_000_000
    /// Duration of the turn that was logged last, nanoseconds.
    private var told: UInt64 = 0

    init(_ options: WebServer.Options, hub: Hub) throws(WebServerError) {
        guard let loop = ev_loop_new(UInt32(EVFLAG_NOENV)) else {
            throw .other(host: options.host, port: options.port, reason: String(cString: strerror(errno)))
        }
        self.loop = loop
        self.hub = hub
        // SAFETY: the watch lives as long as this value, which destroys the loop.
        ev_set_userdata(loop, Unmanaged.passUnretained(turns).toOpaque())
        ev_set_loop_release_cb(loop, { EventLoop.turns(of: $0)?.endTurn() }, { EventLoop.turns(of: $0)?.beginTurn() })
    }

    private static func turns(of loop: OpaquePointer?) -> TurnWatch? {
        // SAFETY: set once, in `init`.
        ev_userdata(loop).map { Unmanaged<TurnWatch>.fromOpaque($0).takeUnretainedValue() }
    }

    deinit {
        close()
        ev_loop_destroy(loop)
    }

    /// Binds the port; requests are served from ``WebServer/run()`` on.
    ///
    /// - Parameter events: receives what happens at the port, until ``close()``.
    /// - Returns: the port that is bound.
    func open(_ options: WebServer.Options, _ events: ServerEvents) throws(WebServerError) -> Int {
        LibraryLog.install()
        let socket = try ListeningSocket(host: options.host, port: options.port)
        let context: ServerContext
        do { context = try ServerContext(options, on: loop, events) } catch {
            socket.close()
            throw error
        }
        self.context = context
        handle.attach(context.pointer)
        let acceptor = Acceptor(
            socket, on: loop,
            .init(
                refusal: { events.addresses.refusal($0) }, adopt: { [unowned context] in context.adopt($0) },
                exhausted: { events.addresses.logExhaustion($0) }))
        self.acceptor = acceptor
        acceptor.resume = makeTimer { [unowned acceptor] in
            acceptor.start()
            return nil
        }
        acceptor.start()
        return socket.port
    }

    /// Connections that were refused since the start: for lack of descriptors, and by the limit of an address.
    package var refusedConnections: Int { acceptor?.refused ?? 0 }

    /// Closes the port and every connection.
    func close() {
        handle.attach(nil)
        acceptor = nil
        for timer in timers { timer.cancel() }
        timers = []
        guard let context else { return }
        self.context = nil
        context.destroy()
    }

    /// Serves until ``LoopHandle/stop()``; afterwards the port and every connection are closed.
    func run() {
        while !handle.isStopped, context != nil {
            ev_run(loop, Int32(EVRUN_ONCE))
            logErrors()
        }
        close()
        logErrors()
    }

    /// Calls `body` on the loop in this interval until the server ends.
    public func every(_ milliseconds: Int, _ body: @escaping () -> Void) {
        let timer = makeTimer {
            body()
            return milliseconds * 1000
        }
        guard let timer else {
            lacksTimers = true
            return hub.notice("no timer could be created: the process has no free file descriptor; raise its limit (ulimit -n)")
        }
        timer.arm(after: milliseconds * 1000)
    }

    /// - Parameter body: returns the microseconds until its next call, or nil to wait for ``LoopTimer/arm(after:)``.
    /// - Returns: nil when the process has no file descriptor left.
    package func makeTimer(_ body: @escaping () -> Int?) -> LoopTimer? {
        guard let timer = context?.makeTimer(body) else { return nil }
        timers.append(timer)
        return timer
    }

    /// Serves a wake of another thread.
    func serveWake() {
        guard handle.acknowledge() else { return }
        settle()
        onWake()
    }

    /// Publishes the longest turns, and logs a longer one than before when it kept clients waiting.
    public func publishTurns() {
        func publish(_ parameter: EngineParameter, _ nanoseconds: UInt64) {
            hub.publish(hub.tree.index(parameter), .number((Float(nanoseconds) * 1e-5).rounded() / 10))
        }
        publish(.controlWorst, turns.recent(now: rt_now()))
        publish(.controlWorstEver, turns.longest)
        guard turns.longest >= Self.slowTurn, turns.longest > told else { return }
        told = turns.longest
        let (longest, computed) = (turns.longest / 1_000_000, turns.computed / 1_000_000)
        hub.log(
            "the control thread was busy for \(longest) ms (computing: \(computed) ms); clients had to wait, the sound was not affected")
    }

    private func logErrors() {
        for line in LibraryLog.drain() { hub.log("HTTP: \(line)") }
    }
}

/// Wakes or ends a server's loop from other threads. Both return at once.
public final class LoopHandle: Sendable {
    /// The address of libwebsockets' context, or 0: used only under the lock, and removed under it before the context is
    /// destroyed.
    private let context = Mutex<UInt>(0)
    private let isWaking = Atomic(false)
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func attach(_ newContext: OpaquePointer?) {
        let address = UInt(bitPattern: newContext)
        context.withLock { $0 = address }
    }

    /// Makes the loop call ``EventLoop/onWake`` soon. Wakes that have not been served yet count as one.
    public func wake() {
        guard !isWaking.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cancel()
    }

    /// Ends ``WebServer/run()``; a loop that has not begun yet ends at once.
    public func stop() {
        stopped.store(true, ordering: .releasing)
        cancel()
    }

    /// Called by the loop before it serves a wake.
    /// - Returns: false when the library woke by itself, as it does at its start.
    func acknowledge() -> Bool { isWaking.exchange(false, ordering: .sequentiallyConsistent) }

    private func cancel() {
        context.withLock { if let context = OpaquePointer(bitPattern: $0) { lws_cancel_service(context) } }
    }
}

/// The errors of libwebsockets, which has one log for the whole process.
enum LibraryLog {
    private static let lines = Mutex<[String]>([])
    private static let mostLines = 32

    static func install() {
        lws_set_log_level(Int32(LLL_ERR)) { _, line in
            if let line { LibraryLog.add(String(cString: line)) }
        }
    }

    private static func add(_ line: String) {
        lines.withLock { if $0.count < mostLines { $0.append(line) } }
    }

    /// Removes and returns the errors since the last call.
    static func drain() -> [String] {
        lines.withLock { lines in
            let taken = lines.map { String($0.drop { $0 == "[" || $0.isNumber }.trimmingNewline) }
            lines.removeAll()
            return taken
        }
    }
}

extension Substring {
    fileprivate var trimmingNewline: Substring { last == "\n" ? dropLast() : self }
}
