internal import CJACK
internal import CRealtime
internal import Glibc
internal import Synchronization
internal import Threads

/// An open client of a JACK server, closed on deinitialisation.
// SAFETY: libjack's functions may be called from any thread; ports are registered before the client is shared.
final class JACKClient: @unchecked Sendable {
    let client: OpaquePointer
    /// The name that was asked for.
    let wanted: String
    /// The client's name in the server, which adds a number to one that is taken.
    let name: String
    private let isClosed = Flag()
    /// Functions that libjack's threads call, even once more after the server has ended, until the client is closed.
    private let callbacks = Mutex<[JACKCallbacks]>([])
    /// Held while a client is opened or closed: libjack crashes when one thread closes a client while another one opens one.
    private static let opening = Mutex<Void>(())
    /// Time at which libjack began to close a client, CLOCK_MONOTONIC nanoseconds; 0 while it closes none.
    private static let closing = Atomic<UInt64>(0)
    /// Nanoseconds after which libjack counts as hanging: a server waits two seconds for the answer of another client.
    private static let longestClosing: UInt64 = 5_000_000_000
    /// Nanoseconds for which the end of a client is awaited: longer than a server that works takes, and no longer than needed where libjack
    /// hangs.
    private static let longestWait: UInt64 = 2_500_000_000
    private static let quiet: Void = {
        // libjack would write to the standard error.
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
    }()

    /// Connects to a server that is running; none is started.
    /// - Throws: ``DeviceError`` when there is none, or it does not accept the client.
    init(_ wanted: String) throws(DeviceError) {
        _ = Self.quiet
        guard wanted.utf8.count < Int(jack_client_name_size()), !wanted.utf8.contains(UInt8(ascii: ":")) else {
            throw DeviceError(
                "\"\(wanted)\" cannot be the name of a JACK client: it has up to \(jack_client_name_size() - 1) bytes and no colon.")
        }
        var status = jack_status_t(rawValue: 0)
        let client = try Self.withoutAnother { Self.namingThreads { jack_client_open_plain(wanted, JackNoStartServer, &status) } }
        guard let client else { throw Self.refusal(wanted, status) }
        self.client = client
        self.wanted = wanted
        name = String(cString: jack_get_client_name(client))
    }

    /// Opens a client while no other one is opened or closed.
    /// - Throws: ``DeviceError`` when libjack does not return from closing one.
    private static func withoutAnother(_ open: () -> OpaquePointer?) throws(DeviceError) -> OpaquePointer? {
        while true {
            if let client = opening.withLockIfAvailable({ _ in open() }) { return client }
            let since = closing.load(ordering: .relaxed)
            guard since == 0 || rt_now() < since + longestClosing else {
                throw DeviceError(
                    "JACK's library does not return from closing a former client, and opens no other one meanwhile. Restart the JACK "
                        + "server; if that does not help, restart the engine.")
            }
            realtime_sleep_until(rt_now() + 500_000)
        }
    }

    /// Name of the threads on which libjack receives notifications and writes messages.
    private static let threadName = "JACK client"

    /// Prepares a thread of libjack for its work: names the process thread, and makes cancellation of any other thread deferred.
    ///
    /// jackd's library cancels the notification thread when a client is closed, by default at any instruction, and waits for ever if that
    /// thread held a lock of the allocator or of the library, which takes one for each notification. With deferred cancellation the thread
    /// ends at its next system call: usually its wait for the server, unless another client comes or goes at that moment.
    static func prepareThread() {
        let isOther = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
            realtime_thread_name(name.baseAddress)
            return name.baseAddress.map { String(cString: $0) } == threadName
        }
        if isOther { pthread_setcanceltype(Int32(PTHREAD_CANCEL_DEFERRED), nil) } else { realtime_name_thread("audio jack") }
    }

    /// Runs `body`, whose new threads take the name that the calling thread has meanwhile.
    private static func namingThreads<Result>(_ body: () -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
            realtime_thread_name(name.baseAddress)
            realtime_name_thread(threadName)
            defer { realtime_name_thread(name.baseAddress) }
            return body()
        }
    }

    deinit { close() }

    /// Makes the client part of the server's cycles, with these functions.
    /// - Returns: whether the server has accepted it.
    func activate(_ functions: JACKCallbacks) -> Bool {
        callbacks.withLock { $0.append(functions) }
        functions.register(client)
        return jack_activate(client) == 0
    }

    /// Takes the client out of the server's cycles.
    func deactivate() { jack_deactivate(client) }

    /// Closes the client, after which it must not be used.
    ///
    /// Waits for the client's threads, up to ``longestWait``. Objects that the threads of a hung library may still use are kept alive.
    func close() {
        guard isClosed.raise() else { return }
        let done = Flag()
        let used = callbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        // SAFETY: libjack's functions may be called from any thread.
        nonisolated(unsafe) let client = client
        let work = { @Sendable in
            withExtendedLifetime(used) {
                Self.opening.withLock { _ in
                    Self.closing.store(rt_now(), ordering: .relaxed)
                    jack_client_close(client)
                    Self.closing.store(0, ordering: .relaxed)
                }
            }
            done.raise()
        }
        do throws(ThreadError) { _ = try ProgramThread("JACK end", body: work) } catch { SpareThread.run(instead: error, work) }
        _ = done.wait(within: Self.longestWait)
    }

    private static func refusal(_ name: String, _ status: jack_status_t) -> DeviceError {
        guard status.rawValue & JackServerFailed.rawValue == 0 else {
            return DeviceError(
                "There is no JACK server. Start one, for example `jackd -d alsa`, or use PipeWire's JACK library (pw-jack); the variable "
                    + "JACK_DEFAULT_SERVER names one that is not called \"default\".", isAbsence: true)
        }
        return DeviceError("The JACK server does not accept the client \"\(name)\" (status \(status.rawValue)).")
    }

    /// Frames per second and in a cycle.
    var rate: Int { Int(jack_get_sample_rate(client)) }
    var cycle: Int { Int(jack_get_buffer_size(client)) }

    /// Time at which the current cycle began, CLOCK_MONOTONIC nanoseconds. JACK's own clock is a different one, so only its differences are
    /// used.
    func cycleBegin() -> UInt64 {
        var (frames, begin, next, duration) = (jack_nframes_t(), jack_time_t(), jack_time_t(), Float())
        guard jack_get_cycle_times(client, &frames, &begin, &next, &duration) == 0 else { return rt_now() }
        let now = rt_now()
        // The server smooths the times of its cycles, so a cycle may seem to begin in the future.
        let age = Int64(bitPattern: jack_get_time() &- begin)
        return UInt64(clamping: Int64(clamping: now) - 1000 * min(max(age, -1_000_000), 1_000_000))
    }

    /// Finds a port by its full name, which includes that of its client.
    func look(_ name: String) -> JACKConnections.Other {
        guard let port = jack_port_by_name(client, name) else { return .absent }
        return UInt32(bitPattern: jack_port_flags(port)) & JackPortIsPhysical.rawValue != 0 ? .physical : .virtual
    }

    /// Names of the sound cards' ports, in order.
    func physicalPorts(_ direction: JackPortFlags) -> [String] {
        let flags = UInt(JackPortIsPhysical.rawValue | direction.rawValue)
        guard let ports = jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, flags) else { return [] }
        defer { jack_free(ports) }
        var names: [String] = []
        while let port = ports[names.count] { names.append(String(cString: port)) }
        return names
    }

    /// Names of the output ports of a client, in order; those of the sound cards' inputs for nil.
    func sources(_ client: String?) -> [String] {
        guard let client else { return physicalPorts(JackPortIsOutput) }
        return outputPorts.filter { $0.hasPrefix(client + ":") }
    }

    /// Names of the clients that have output ports.
    var sourceClients: [String] {
        outputPorts.map { String($0.prefix { $0 != ":" }) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private var outputPorts: [String] {
        guard let ports = jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue)) else { return [] }
        defer { jack_free(ports) }
        var names: [String] = []
        while let port = ports[names.count] { names.append(String(cString: port)) }
        return names
    }

    /// - Throws: ``DeviceError`` when the server has no more ports.
    func register(_ name: String, _ direction: JackPortFlags) throws(DeviceError) -> OpaquePointer {
        guard let port = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(direction.rawValue), 0) else {
            throw DeviceError("The JACK server does not accept the port \"\(name)\": the number of its ports is limited (-p).")
        }
        return port
    }
}
