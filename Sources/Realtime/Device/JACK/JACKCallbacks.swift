internal import CJACK
internal import CRealtime
internal import Synchronization

/// Functions that JACK's threads call, apart from rendering, and what they report.
// SAFETY: atomics; what a subclass adds is used by the process thread only.
class JACKCallbacks: @unchecked Sendable {
    private let lost = Atomic(0)
    private let playback = Atomic(0)
    private let recording = Atomic(0)
    private let newest: Atomic<UInt64>
    private let ended = Flag()
    private let changed = Atomic(0)
    private let reportedRate = Atomic(0)
    private let rate: Int
    private let ports: JACKPorts

    init(_ ports: JACKPorts, rate: Int) {
        self.ports = ports
        self.rate = rate
        newest = Atomic(rt_now())
    }

    /// Renders a cycle; on JACK's process thread.
    func process(_ frames: Int) { newest.store(rt_now(), ordering: .relaxed) }

    /// Whether something is connected to the array's ports.
    let hasArray = Flag()

    // MARK: Reports

    /// Frames from the ports to the sound card's output, and from its input to the ports.
    var playbackLatency: Int { playback.load(ordering: .relaxed) }
    var captureLatency: Int { recording.load(ordering: .relaxed) }
    /// Number of xruns since the last call.
    func takeXruns() -> Int { lost.exchange(0, ordering: .relaxed) }
    /// CLOCK_MONOTONIC nanoseconds of the newest cycle.
    var newestCycle: UInt64 { newest.load(ordering: .relaxed) }
    /// Number of connections and ports that have come or gone.
    var changes: Int { changed.load(ordering: .relaxed) }
    /// Whether the server has ended.
    var hasEnded: Bool { ended.isRaised }
    /// The server's rate after a change; nil without one.
    var newRate: Int? {
        let value = reportedRate.load(ordering: .relaxed)
        return value == 0 || value == rate ? nil : value
    }

    /// Registers the functions, before the client is active. The object has to live until the client is closed.
    func register(_ client: OpaquePointer) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        jack_set_thread_init_callback(
            client,
            { _ in
                realtime_flush_denormals()
                JACKClient.prepareThread()
            }, nil)
        jack_set_process_callback(
            client,
            { frames, me in
                JACKCallbacks.of(me).process(Int(frames))
                return 0
            }, me)
        jack_set_xrun_callback(
            client,
            { me in
                JACKCallbacks.of(me).lost.add(1, ordering: .relaxed)
                return 0
            }, me)
        jack_set_sample_rate_callback(
            client,
            { rate, me in
                JACKCallbacks.of(me).reportedRate.store(Int(rate), ordering: .relaxed)
                return 0
            }, me)
        jack_set_port_connect_callback(client, { _, _, _, me in JACKCallbacks.of(me).changed.add(1, ordering: .relaxed) }, me)
        jack_set_port_registration_callback(client, { _, _, me in JACKCallbacks.of(me).changed.add(1, ordering: .relaxed) }, me)
        jack_set_latency_callback(client, { mode, me in JACKCallbacks.of(me).note(mode) }, me)
        jack_on_shutdown(client, { me in JACKCallbacks.of(me).ended.raise() }, me)
    }

    private static func of(_ me: UnsafeMutableRawPointer?) -> JACKCallbacks {
        Unmanaged<JACKCallbacks>.fromOpaque(me!).takeUnretainedValue()
    }

    /// Reads the latency of one direction, and passes it through to the ports of the other side.
    private func note(_ mode: jack_latency_callback_mode_t) {
        let isPlayback = mode == JackPlaybackLatency
        let inputs = ports.inputs + ports.array
        let (sources, targets) = isPlayback ? (ports.ears, inputs) : (inputs, ports.ears)
        var total = jack_latency_range_t(min: .max, max: 0)
        for port in sources {
            var range = jack_latency_range_t()
            jack_port_get_latency_range(port, mode, &range)
            guard jack_port_connected(port) > 0 else { continue }
            total.min = min(total.min, range.min)
            total.max = max(total.max, range.max)
        }
        if total.min == .max { total.min = 0 }
        if isPlayback { playback.store(Int(total.max), ordering: .relaxed) } else { recording.store(Int(total.max), ordering: .relaxed) }
        for port in targets { jack_port_set_latency_range(port, mode, &total) }
    }
}
