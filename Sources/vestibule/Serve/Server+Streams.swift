import Engine
import Hub
import Parameters
import Streaming
import WebControl

/// The parameters of streams, and the state of each.
extension Server {
    /// Streams follow the parameters, and parameters tell the state of the streams.
    func connectStreams() {
        applyStreamSettings()
        web.loop.every(100) { [unowned self] in applyStreamSettings() }
        web.loop.every(1000) { [unowned self] in publishStreams() }
    }

    private func applyStreamSettings() {
        let (hub, tree) = (engine.hub, engine.tree)
        func number(_ parameter: StreamParameter) -> Float { hub.value(tree.index(parameter)).numbers[0] }
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
        settings.groups = engine.groups.delays
        if web.streams.settings != settings { web.streams.settings = settings }
    }

    private func publishStreams() {
        engine.groups.publish()
        for listener in 0..<engine.tree.listeners where engine.hub.tree.isPresent[listener] {
            let (streams, scene) = (web.streams, web.streams.scene)
            let renderers = scene?.clients(listener: listener + 1) ?? 0
            let clients = streams.clients(listener: listener + 1) + renderers
            let state = renderers > 0 ? scene?.statistics(listener: listener + 1) : streams.statistics(listener: listener + 1)
            guard clients > 0 || heardStreams.contains(listener) else { continue }
            if clients > 0 { heardStreams.insert(listener) } else { heardStreams.remove(listener) }
            publish(state, clients: clients, isScene: renderers > 0, listener)
        }
    }

    private func publish(_ state: StreamStatistics?, clients: Int, isScene: Bool, _ listener: Int) {
        let hub = engine.hub
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
