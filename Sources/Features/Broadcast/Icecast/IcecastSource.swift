internal import CRealtime
public import Hub
public import ListenerStreams
internal import Media
internal import Parameters
internal import Streaming
public import Threads
public import Web

/// The stream of one listener's sound to an Icecast server, and its state in parameters. Used on the control thread.
public final class IcecastSource: MetricsSection {
    /// Milliseconds between two calls of ``tick(now:)``.
    public static let interval = 100
    private static let mostTold = 16

    private let settings: IcecastSettings
    private let hub: Hub
    private let thread: IcecastThread
    private let rate: Int
    private var last = IcecastFigures()
    private var connectedSince: UInt64?
    /// Problems that were reported, and whether a connection was reported; both are reported again only after a connection has lasted.
    private var told: Set<String> = []
    private var hasToldConnection = false

    /// - Returns: nil when there is no such listener.
    public init?(_ settings: IcecastSettings, hub: Hub, streams: AudioStreams) {
        guard let stream = streams[settings.listener] else { return nil }
        (self.settings, self.hub, rate) = (settings, hub, stream.rate)
        thread = IcecastThread(settings, rate: stream.rate)
        hub.publish(hub.tree.index(IcecastParameter.server), .text(settings.server.description))
        hub.publish(hub.tree.index(IcecastParameter.listener), .number(Float(settings.listener)))
        stream.fill(thread.inlet)
    }

    /// Starts the connection, unless Opus does not support the engine's rate.
    /// - Throws: ``ThreadError`` when the system does not allow its thread.
    public func start() throws(ThreadError) {
        guard rate == Opus.rate else {
            publish(.waiting)
            return set("Opus needs \(Opus.rate) frames per second; the sound device runs at \(rate): choose another rate")
        }
        try thread.start()
    }

    public func stop() { thread.stop() }

    package func addMetrics(_ text: inout MetricsText) {
        text.gauge("vestibule_icecast_connected", "1 while the Icecast server is connected.", last.state == .connected ? 1 : 0)
        text.counter("vestibule_icecast_losses_total", "Times that the Icecast server was lost.", Double(last.losses))
        text.counter("vestibule_icecast_sent_bytes_total", "Bytes sent to the Icecast server.", Double(last.bytes))
        text.counter("vestibule_icecast_sent_seconds_total", "Sound sent to the Icecast server.", Double(last.frames) / Double(rate))
        text.counter(
            "vestibule_icecast_lost_seconds_total", "Sound lost because the machine or the network was too slow.",
            Double(last.lost) / Double(rate))
    }

    /// Reports changes. Call every ``interval`` milliseconds.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func tick(now: UInt64) {
        let figures = thread.reading
        defer { last = figures }
        if let connectedSince, now > connectedSince + UInt64(clamping: BackOff.steady * 1e9) { (told, hasToldConnection) = ([], false) }
        guard figures != last else { return }
        if figures.state != last.state {
            publish(figures.state)
            note(figures.state, now: now)
        }
        if figures.state != .off { set(figures.problem) }
        publish(.sent, figures.frames / rate)
        publish(.losses, figures.losses)
        publish(.lost, figures.lost * 1000 / rate)
    }

    private func publish(_ state: ConnectionState) {
        hub.publish(hub.tree.index(IcecastParameter.state), .number(state.number))
    }

    private func note(_ state: ConnectionState, now: UInt64) {
        guard state == .connected else {
            connectedSince = nil
            return
        }
        connectedSince = now
        if !hasToldConnection { hub.log("sending the sound of listener \(settings.listener) to \(settings.server)") }
        hasToldConnection = true
    }

    /// Publishes a problem, and reports it once for as long as it lasts or comes back.
    private func set(_ problem: String) {
        let index = hub.tree.index(IcecastParameter.problem)
        guard hub.value(index) != .text(problem) else { return }
        hub.publish(index, .text(problem))
        guard !problem.isEmpty, told.count < Self.mostTold, told.insert(problem).inserted else { return }
        hub.notice("Icecast, \(settings.server): \(problem)")
    }

    private func publish(_ parameter: IcecastParameter, _ count: Int) {
        let (index, value) = (hub.tree.index(parameter), ParameterValue.number(Float(count)))
        if hub.value(index) != value { hub.publish(index, value) }
    }
}
