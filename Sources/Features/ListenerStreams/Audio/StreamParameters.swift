public import Hub
internal import Parameters
public import Streaming

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

/// Defaults of the server for clients that ask for an adaptive stream without further wishes.
public struct StreamSettings: Equatable, Sendable {
    /// Highest and lowest bits per second.
    public var bitrate = 128_000
    public var lowestBitrate = 32_000
    /// Shortest and longest packet, milliseconds.
    public var milliseconds = 10
    public var longest = 20
    public var isAdaptive = true
    /// Milliseconds from the engine's sample to the sound of all clients of the group; 0 when each plays as early as it can.
    public var group = 0.0
    /// Delay of the listeners in groups, by the listener's number from 1.
    public var groups: [Int: Double] = [:]

    public init() {}

    /// Milliseconds of delay of the group that a listener belongs to.
    func group(of listener: Int) -> Double { groups[listener] ?? group }
}

/// State of one client's stream, as both ends have measured it.
public struct StreamStatistics: Sendable {
    public let encoding: StreamEncoding
    /// Bits per second of all sound.
    public let bitrate: Int
    /// Milliseconds; 0 before the first measurement.
    public let roundTrip: Double
    /// Milliseconds per burst of round trips.
    public let slope: Double
    /// Packets that were left out because the network accepted no more.
    public let overflow: Int
    /// Changes of the strategy.
    public let changes: Int
    public let report: ReceiverReport
}
