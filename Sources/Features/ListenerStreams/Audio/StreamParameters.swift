public import Hub
internal import Parameters
internal import Streaming

/// Applies the parameters of streams, and publishes the state of each listener's stream.
///
/// Used on the control thread only.
public final class StreamParameters {
    private let hub: Hub
    private let streams: AudioStreams
    private let groups: () -> [Int: Double]
    /// Listeners whose streams' state is published, from 0.
    private var heard: Set<Int> = []

    /// - Parameter groups: milliseconds of delay of listeners in groups of their own, by the listener's number from 1.
    public init(hub: Hub, streams: AudioStreams, groups: @escaping () -> [Int: Double]) {
        self.hub = hub
        self.streams = streams
        self.groups = groups
    }

    /// Applies the parameters, if any has changed.
    public func apply() {
        func number(_ parameter: StreamParameter) -> Float { hub.value(hub.tree.index(parameter)).numbers[0] }
        func length(_ parameter: StreamParameter) -> Int {
            StreamParameter.lengths[min(max(0, Int(clamping: number(parameter))), StreamParameter.lengths.count - 1)]
        }
        var settings = StreamSettings()
        settings.bitrate = 1000 * Int(clamping: number(.bitrate))
        settings.lowestBitrate = 1000 * Int(clamping: number(.lowestBitrate))
        settings.milliseconds = length(.packet)
        settings.longest = length(.longestPacket)
        settings.isAdaptive = number(.adapt) != 0
        settings.group = Double(number(.group))
        settings.groups = groups()
        if streams.settings != settings { streams.settings = settings }
    }

    /// Publishes the state of the streams that are heard, and a final state for streams that have ended.
    public func publish() {
        for listener in 0..<hub.tree.listeners where hub.tree.isPresent[listener] {
            let renderers = streams.scene?.clients(listener: listener + 1) ?? 0
            let clients = streams.clients(listener: listener + 1) + renderers
            guard clients > 0 || heard.contains(listener) else { continue }
            if clients > 0 { heard.insert(listener) } else { heard.remove(listener) }
            let state = renderers > 0 ? streams.scene?.statistics(listener: listener + 1) : streams.statistics(listener: listener + 1)
            publish(state, clients: clients, isScene: renderers > 0, listener)
        }
    }

    private func publish(_ state: StreamStatistics?, clients: Int, isScene: Bool, _ listener: Int) {
        let report = state?.report ?? ReceiverReport()
        func tenths(_ value: Double) -> Float { Float((value * 10).rounded() / 10) }
        let numbers: [(ListenerStream, Float)] = [
            (.clients, Float(clients)), (.bitrate, Float(state?.bitrate ?? 0) / 1000),
            (.packet, Float(state?.encoding.milliseconds ?? 0)), (.roundTrip, tenths(state?.roundTrip ?? 0)),
            (.tendency, tenths(state?.slope ?? 0)), (.buffer, tenths(report.buffer)), (.target, tenths(report.target)),
            (.late, Float(report.late)), (.lost, Float(report.lost)), (.refused, Float(report.refused)),
            (.concealed, tenths(report.concealed / 1000)), (.leftOut, Float(state?.overflow ?? 0)),
            (.changes, Float(state?.changes ?? 0)), (.drift, tenths(max(-1000, min(1000, report.drift)))),
        ]
        for (parameter, number) in numbers { hub.publish(hub.tree.index(parameter, listener), .number(number)) }
        hub.publish(hub.tree.index(ListenerStream.format, listener), .text(isScene ? "scene" : state?.encoding.codec.rawValue ?? ""))
    }
}
