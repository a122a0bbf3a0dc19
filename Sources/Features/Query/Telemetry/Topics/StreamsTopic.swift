internal import Hub
internal import Parameters

/// `streams`: the streams to clients that measure them, as in the parameters of their listeners.
final class StreamsTopic: StateTopic {
    let name = "streams"
    let fastest = 2

    private let hub: Hub

    init(_ sources: TelemetrySources) { hub = sources.hub }

    var state: State? {
        let isPresent = hub.tree.isPresent
        return State(json: isPresent.indices.filter { isPresent[$0] }.compactMap(stream))
    }

    private func stream(_ listener: Int) -> Stream? {
        func value(_ parameter: ListenerStream) -> ParameterValue { hub.value(hub.tree.index(parameter, listener)) }
        func number(_ parameter: ListenerStream) -> Float { value(parameter).numbers.first ?? 0 }
        func count(_ parameter: ListenerStream) -> Int { Int(clamping: number(parameter)) }
        guard let format = value(.format).text, !format.isEmpty else { return nil }
        return Stream(
            listener: listener + 1, format: format, bitrate: number(.bitrate), packet: number(.packet), roundTrip: number(.roundTrip),
            tendency: number(.tendency), buffer: number(.buffer), target: number(.target), late: count(.late), lost: count(.lost),
            refused: count(.refused), concealed: number(.concealed), leftOut: count(.leftOut), changes: count(.changes),
            drift: number(.drift))
    }

    struct Stream: Equatable, Encodable {
        /// From 1.
        var listener: Int
        var format: String
        /// Kilobits per second.
        var bitrate: Float
        /// Milliseconds.
        var packet: Float
        var roundTrip: Float
        /// Milliseconds per burst of round trips.
        var tendency: Float
        /// Milliseconds.
        var buffer: Float
        var target: Float
        var late: Int
        var lost: Int
        var refused: Int
        /// Seconds.
        var concealed: Float
        var leftOut: Int
        var changes: Int
        /// Parts per million.
        var drift: Float
    }

    struct State: TelemetryContent {
        let json: [Stream]
    }
}
