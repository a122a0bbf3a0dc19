internal import CJACK
internal import CRealtime
internal import Synchronization

/// An open client of a JACK server, closed on deinitialisation.
// SAFETY: libjack's functions may be called from any thread; ports are registered before the client is shared.
final class JACKClient: @unchecked Sendable {
    let client: OpaquePointer
    /// The name that was asked for.
    let wanted: String
    /// The client's name in the server, which adds a number to one that is taken.
    let name: String
    private let isClosed = Flag()
    /// Held while a client is opened or closed: libjack crashes when one thread closes a client while another one opens one.
    private static let opening = Mutex<Void>(())
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
        let opened = Self.opening.withLock { _ in
            Self.namingThreads { jack_client_open_plain(wanted, JackNoStartServer, &status) }
        }
        guard let client = opened else { throw Self.refusal(wanted, status) }
        self.client = client
        self.wanted = wanted
        name = String(cString: jack_get_client_name(client))
    }

    /// Name of the threads on which libjack receives notifications and writes messages.
    private static let threadName = "JACK client"

    /// Names a thread that calls cycles; libjack calls this on its other threads too, which keep their name.
    static func nameCycleThread() {
        let isOther = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
            realtime_thread_name(name.baseAddress)
            return name.baseAddress.map { String(cString: $0) } == threadName
        }
        if !isOther { realtime_name_thread("audio jack") }
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

    /// Closes the client and waits for its threads. Until then they may call, also after the server has ended; afterwards the client must
    /// not be used.
    func close() {
        guard isClosed.raise() else { return }
        Self.opening.withLock { _ in _ = jack_client_close(client) }
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

    /// Time at which the current cycle began, CLOCK_MONOTONIC nanoseconds. JACK's own clock is another one, so only its differences count.
    func cycleBegin() -> UInt64 {
        var (frames, begin, next, duration) = (jack_nframes_t(), jack_time_t(), jack_time_t(), Float())
        guard jack_get_cycle_times(client, &frames, &begin, &next, &duration) == 0 else { return rt_now() }
        let now = rt_now()
        // The server smooths the times of its cycles, so that one may begin after the present.
        let age = Int64(bitPattern: jack_get_time() &- begin)
        return UInt64(clamping: Int64(clamping: now) - 1000 * min(max(age, -1_000_000), 1_000_000))
    }

    /// Finds a port by its name with that of its client.
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
