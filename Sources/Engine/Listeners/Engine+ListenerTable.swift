import CRealtime
import Hub
import Parameters

extension Engine {
    /// A page of the table of listeners, as JSON.
    package func listenerTable(from: Int, count: Int, search: String) -> [UInt8] {
        let now = rt_now()
        let isPresent = hub.tree.isPresent
        let rows = isPresent.indices.lazy.filter { isPresent[$0] }.map { [self] in row($0, now: now) }
        return ListenerTable(rows, from: from, count: count, search: search).bytes
    }

    private func row(_ index: Int, now: UInt64) -> ListenerTable.Row {
        func value(_ parameter: ListenerParameter) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        let latency = telemetry.latency(ofListener: index)
        let delay = latency.stages[.motionToSound]?.first ?? 0
        let isWired = index < tree.wired
        let method = tree.nodes[tree.index(ListenerParameter.method, index)]
        let word = if case .string(let name) = method.spec.arguments(hub.value(method.index)).first { name } else { "" }
        let channels = value(.output).text ?? ""
        let network = isWired ? nil : listeners.connection(index, now: now)
        return ListenerTable.Row(
            number: index + 1, name: value(.name).text ?? "", isWired: isWired, channels: channels.isEmpty ? nil : channels,
            clients: network?.clients, seconds: network?.seconds, pose: value(.ypr).numbers,
            method: word,
            rms: hub.value(tree.index(ListenerMeter.rms, index)).numbers, motionToSound: delay > 0 ? delay : nil,
            poses: latency.rate)
    }
}
