internal import Hub
public import OSCControl
internal import Parameters
internal import RenderInterface
internal import Streaming
public import Web

/// `/metrics` for Prometheus: base units, counters that end in `_total`, two histograms.
///
/// No label has more values than there are kinds or listeners, and none identifies a client.
public final class Metrics: WebFeature {
    /// Counts of the OSC port.
    public var oscCounters: OSCCounters?
    /// Lines that the log left out: by the limit of their source, and because the log was not read.
    public var logLinesLeftOut: () -> (limited: Int, stalled: Int) = { (0, 0) }

    /// Frames that no device played, since the start.
    public var lostDeviceFrames: () -> Int64 = { 0 }

    let hub: Hub
    private let telemetry: TelemetrySources
    private let connections: ConnectionTable
    private let loop: EventLoop
    private let health: () -> Health
    private var sections: [any MetricsSection]

    /// - Parameters:
    ///   - health: state of the engine; called on the loop.
    ///   - sections: of other parts, at the end.
    package init(on web: WebServer, telemetry: TelemetrySources, health: @escaping () -> Health, sections: [any MetricsSection]) {
        (hub, connections, loop) = (web.hub, web.connections, web.loop)
        (self.telemetry, self.health, self.sections) = (telemetry, health, sections)
    }

    /// Adds the figures of another part.
    package func add(_ section: any MetricsSection) { sections.append(section) }

    package var routes: [Route] {
        [
            .get("/health", .everybody, "Whether the engine renders, and whether its sound is plausible; 503 when it does not render.") {
                [health] _ in
                let health = health()
                return .json(health.httpStatus, health)
            },
            .get("/metrics", .view, "Figures for Prometheus.") { [unowned self] _ in response },
        ]
    }

    private var response: Response {
        var text = MetricsText()
        addEngine(&text)
        addDevice(&text)
        addListeners(&text)
        addTakes(&text)
        addPoses(&text)
        addClients(&text)
        addBroker(&text)
        for section in sections { section.addMetrics(&text) }
        return Response(
            status: 200, headers: [("content-type:", "text/plain; version=0.0.4; charset=utf-8")],
            body: .bytes(Array(text.text.utf8)))
    }

    func value(_ parameter: some ParameterGroup) -> Double {
        Double(hub.value(hub.tree.index(parameter)).numbers.first ?? 0)
    }

    private func addEngine(_ text: inout MetricsText) {
        let engine = telemetry.engine()
        let rate = max(1, value(EngineParameter.rate))
        text.counter("vestibule_blocks_total", "Blocks rendered.", Double(engine.blocks))
        text.counter("vestibule_rendered_seconds_total", "Sound rendered.", Double(engine.samples) / rate)
        text.counter("vestibule_xruns_total", "Blocks that reached the device too late.", Double(engine.xruns))
        text.counter("vestibule_dropouts_total", "Times the recording's reader fell behind.", Double(engine.dropouts))
        text.counter(
            "vestibule_resets_total", "Number of times that sound exceeded its range and the effect's state was cleared.",
            value(EngineParameter.resets))
        text.counter(
            "vestibule_limited_input_samples_total", "Samples of live input that were out of range and were limited.",
            value(EngineParameter.limited))
        text.gauge(
            "vestibule_silent_listeners", "Listeners that are silent although sound plays.", value(EngineParameter.silent))
        text.gauge("vestibule_dsp_load_ratio", "Mean share of a period spent on rendering.", value(EngineParameter.load))
        text.gauge("vestibule_dsp_worst_load_ratio", "Largest share of a period in the recent past.", value(EngineParameter.worst))
        text.gauge("vestibule_period_seconds", "Time available for a block.", value(EngineParameter.period) / rate)
        text.gauge("vestibule_sample_rate_hertz", "Frames per second.", rate)
        text.gauge(
            "vestibule_playing", "1 while the recording plays.",
            value(TransportParameter.state) == Double(TransportParameter.playing) ? 1 : 0)
        let leftOut = logLinesLeftOut()
        text.family(
            "vestibule_log_lines_left_out_total", "Log lines left out.", "counter", label: "reason",
            [("limited", Double(leftOut.limited)), ("stalled", Double(leftOut.stalled))])
        text.gauge(
            "vestibule_control_worst_seconds", "Longest turn of the control thread in the last 10 s.",
            value(EngineParameter.controlWorst) / 1000)
        text.gauge(
            "vestibule_control_worst_ever_seconds", "Longest turn of the control thread since the start.",
            value(EngineParameter.controlWorstEver) / 1000)
        let counts = (0..<DurationCounts.buckets).map { UInt64(engine.durations.counts[$0]) }
        text.histogram(
            "vestibule_callback_duration_seconds", "Time that rendering a block took.",
            DurationHistogram(bounds: DurationCounts.bounds, counts: counts, sum: Double(engine.busy) / 1e9))
    }

    private func addPoses(_ text: inout MetricsText) {
        text.histogram(
            "vestibule_motion_to_sound_seconds",
            "From the kernel's receipt of a pose to the output of the first sample rendered with it.",
            telemetry.histogram())
        let ages = telemetry.poses.ages.enumerated().compactMap { index, age in
            age.map { (label: "\(index + 1)", value: $0) }
        }
        text.family("vestibule_pose_age_seconds", "Time since the pose in use was received.", "gauge", label: "listener", ages)
        addStages(&text)
        let counters = oscCounters
        text.counter("vestibule_osc_datagrams_total", "Datagrams read.", Double(counters?.datagrams ?? 0))
        text.counter(
            "vestibule_osc_refused_datagrams_total", "Datagrams from addresses that may not send.",
            Double(counters?.strangers ?? 0))
        text.family(
            "vestibule_osc_messages_total", "Messages by result, other than values that were set.", "counter",
            label: "result",
            [
                ("pose", Double(counters?.poses ?? 0)), ("dropped", Double(counters?.dropped ?? 0)),
                ("refused", Double(counters?.refused ?? 0)), ("unknown", value(EngineParameter.unknown)),
                ("malformed", value(EngineParameter.malformed)),
            ])
    }

    /// Latency stages of listeners whose heads have moved.
    private func addStages(_ text: inout MetricsText) {
        let source = Int(clamping: value(LatencyParameter.source))
        text.family(
            "vestibule_output_times", "1 for the origin of the times at which sound is output: exact, reported or calibrated.", "gauge",
            label: "source", LatencyParameter.sources.enumerated().map { ($1, $0 == source ? 1 : 0) })
        let listeners = telemetry.latencies().enumerated().filter { $0.element.received > 0 }
        let stages: [ListenerLatency] = [.motionToSound, .transmission, .interval, .waiting, .rendering, .output]
        var lines: [(labels: String, value: Double)] = []
        // Listeners without poses in that time have nothing to report.
        for (index, listener) in listeners where listener.histogram.contains(where: { $0 > 0 }) {
            for stage in stages {
                for (percentile, value) in zip([50, 95, 99, 100], listener.stages[stage] ?? []) {
                    let labels = "listener=\"\(index + 1)\",stage=\"\(stage.leaf)\",percentile=\"\(percentile)\""
                    lines.append((labels, Double(value) / 1000))
                }
            }
        }
        text.gauges("vestibule_pose_stage_seconds", "Stages of the latency from motion to sound, over 5 s.", lines)
        func family(_ name: String, _ help: String, _ type: String, _ value: (ListenerLatencyReading) -> Double) {
            text.family(name, help, type, label: "listener", listeners.map { ("\($0.offset + 1)", value($0.element)) })
        }
        family("vestibule_poses_total", "Poses received.", "counter") { Double($0.received) }
        family("vestibule_poses_lost_total", "Poses missing from a regular stream.", "counter") { Double($0.lost) }
        family("vestibule_poses_unused_total", "Poses that were replaced by a newer one before use.", "counter") { Double($0.unused) }
        family("vestibule_pose_jitter_seconds", "Jitter of the arrival of poses.", "gauge") { Double($0.jitter) / 1000 }
    }

    private func addBroker(_ text: inout MetricsText) {
        guard hub.value(hub.tree.index(MQTTParameter.broker)) != .text("") else { return }
        let isConnected = value(MQTTParameter.state) == Double(ConnectionState.connected.number)
        text.gauge("vestibule_mqtt_connected", "1 while the broker is connected.", isConnected ? 1 : 0)
        text.counter("vestibule_mqtt_losses_total", "Times that the broker was lost.", value(MQTTParameter.losses))
        text.family(
            "vestibule_mqtt_messages_total", "Messages to the broker, and commands from it.", "counter", label: "kind",
            [
                ("published", value(MQTTParameter.published)), ("received", value(MQTTParameter.received)),
                ("refused", value(MQTTParameter.refused)), ("dropped", value(MQTTParameter.dropped)),
            ])
        guard hub.value(hub.tree.index(FollowParameter.engine)) != .text("") else { return }
        let isFollowing = value(FollowParameter.state) == Double(FollowParameter.State.following.number)
        text.gauge("vestibule_following", "1 while the followed engine is present.", isFollowing ? 1 : 0)
        text.gauge(
            "vestibule_following_difference_seconds", "Delay of the recording relative to the followed engine.",
            value(FollowParameter.difference) / 1000)
    }

    private func addClients(_ text: inout MetricsText) {
        let kinds = ["query", "audio", "telemetry", "camera"].map { (kind: $0, totals: connections.totals($0)) }
        text.family(
            "vestibule_ws_clients", "Open WebSockets.", "gauge", label: "kind", kinds.map { ($0.kind, Double($0.totals.open)) })
        text.counter(
            "vestibule_http_refused_connections_total", "Connections refused by a limit, or for lack of descriptors.",
            Double(loop.refusedConnections))
        text.family(
            "vestibule_ws_dropped_frames_total", "Frames dropped because a client was slow.", "counter", label: "kind",
            kinds.map { ($0.kind, Double($0.totals.dropped)) })
    }
}

/// The sound device, the listeners on the network, and takes.
extension Metrics {
    func addDevice(_ text: inout MetricsText) {
        let isLost = value(DeviceParameter.state) == Double(DeviceParameter.State.lost.number)
        text.gauge("vestibule_device_lost", "1 while the engine runs without its sound device.", isLost ? 1 : 0)
        text.counter("vestibule_device_losses_total", "Times that the sound device was lost.", value(DeviceParameter.losses))
        text.counter("vestibule_device_lost_frames_total", "Frames that no sound device played.", Double(lostDeviceFrames()))
    }

    /// Absent without listeners on the network.
    func addListeners(_ text: inout MetricsText) {
        guard hub.tree.listeners > hub.tree.wired else { return }
        text.gauge(
            "vestibule_network_listeners", "Listeners on the network.",
            max(0, value(NetworkListenerParameter.count) - Double(hub.tree.wired)))
        text.gauge(
            "vestibule_network_load_ratio", "Load of the busiest thread that renders network listeners.",
            value(NetworkListenerParameter.load))
        text.counter(
            "vestibule_network_lost_blocks_total", "Blocks that network listeners missed because rendering took too long.",
            value(NetworkListenerParameter.lost))
    }

    func addTakes(_ text: inout MetricsText) {
        text.gauge("vestibule_take_recording", "1 while a take is recorded.", value(TakeParameter.recording))
        text.gauge("vestibule_take_lost_seconds", "Sound missing in the current or latest take.", value(TakeParameter.lost))
        text.gauge("vestibule_take_remaining_seconds", "Recording time left on the disk.", value(TakeParameter.remaining))
    }
}
