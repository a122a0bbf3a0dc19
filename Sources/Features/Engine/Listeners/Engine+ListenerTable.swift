import CRealtime
import Hub
import Parameters

extension Engine {
    /// A page of the table of listeners, as JSON.
    package func listenerTable(from: Int, count: Int, search: String) -> [UInt8] {
        let now = rt_now()
        let isPresent = hub.tree.isPresent
        let rows = isPresent.indices.lazy.filter { isPresent[$0] }.map { [self] in row($0, now: now) }
        let source = Int(clamping: hub.value(tree.index(LatencyParameter.source)).numbers[0])
        return ListenerTable(rows, outputTimes: LatencyParameter.sources[source], from: from, count: count, search: search).bytes
    }

    private func row(_ index: Int, now: UInt64) -> ListenerTable.Row {
        func value(_ parameter: ListenerParameter) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        let latency = telemetry.latency(ofListener: index)
        let delay = latency.stages[.motionToSound]?.first ?? 0
        let isWired = index < tree.wired
        let method = tree.nodes[tree.index(ListenerParameter.method, index)]
        let word = if case .string(let name) = method.spec.arguments(hub.value(method.index)).first { name } else { "" }
        let channels = value(.output).text ?? ""
        let network = isWired ? nil : listeners.network.connection(index, now: now)
        return ListenerTable.Row(
            number: index + 1, name: value(.name).text ?? "", isWired: isWired, channels: channels.isEmpty ? nil : channels,
            clients: network?.clients, isHeld: isWired ? nil : listeners.network.isHeld(index), seconds: network?.seconds,
            isMuted: value(.mute).numbers[0] != 0,
            group: Int(clamping: value(.group).numbers[0]), client: client(index), stream: stream(index), pose: value(.ypr).numbers,
            front: value(.front).numbers[0], place: value(.xyz).numbers, method: word,
            rms: hub.value(tree.index(ListenerMeter.rms, index)).numbers, motionToSound: delay > 0 ? delay : nil,
            poses: latency.rate)
    }

    private func client(_ index: Int) -> ListenerTable.Client? {
        func value(_ parameter: ListenerClient) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        let (name, mode) = (value(.name).text ?? "", ListenerClient.Mode(number: value(.mode).numbers[0]) ?? ListenerClient.Mode.none)
        guard !name.isEmpty || mode != .none else { return nil }
        let battery = Int(clamping: value(.battery).numbers[0])
        return ListenerTable.Client(
            name: name, device: name, mode: mode.rawValue, battery: battery < 0 ? nil : battery,
            isCharging: value(.charging).numbers[0] != 0, delay: value(.delay).numbers[0])
    }

    private func stream(_ index: Int) -> ListenerTable.Stream? {
        func value(_ parameter: ListenerStream) -> ParameterValue { hub.value(tree.index(parameter, index)) }
        func number(_ parameter: ListenerStream) -> Float { value(parameter).numbers[0] }
        func count(_ parameter: ListenerStream) -> Int { Int(clamping: number(parameter)) }
        guard let format = value(.format).text, !format.isEmpty else { return nil }
        return ListenerTable.Stream(
            format: format, bitrate: number(.bitrate), packet: number(.packet), roundTrip: number(.roundTrip), buffer: number(.buffer),
            late: count(.late), lost: count(.lost), leftOut: count(.leftOut), concealed: number(.concealed))
    }
}
