internal import Foundation
internal import Hub
internal import Parameters

/// A ``TransportReport`` as JSON, with the time in seconds of the sender's CLOCK_MONOTONIC.
struct TransportMessage: Codable, Equatable {
    let recording: String
    let state: String
    let position: Double
    let time: Double
    let duration: Double
    let loop: Bool

    /// Seconds of a clock and of a recording.
    static let times = 0.0...4e9

    init(_ report: TransportReport) {
        (recording, position, time) = (report.recording, report.position, Double(report.time) / 1e9)
        state = TransportState(rawValue: report.state)?.name ?? ""
        (duration, loop) = (report.duration, report.loops)
    }

    /// - Returns: nil for anything else.
    init?(_ payload: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(payload)), message.recording.utf8.count <= 4096,
            [message.position, message.time, message.duration].allSatisfy(Self.times.contains)
        else { return nil }
        self = message
    }

    var json: [UInt8] {
        let members: [(String, [UInt8])] = [
            ("recording", MQTTValue.quoted(recording)), ("state", MQTTValue.quoted(state)), ("position", MQTTValue.number(position)),
            ("time", MQTTValue.number(time)), ("duration", MQTTValue.number(duration)), ("loop", Array((loop ? "true" : "false").utf8)),
        ]
        let lines = members.map { MQTTValue.quoted($0) + [UInt8(ascii: ":")] + $1 }
        return [UInt8(ascii: "{")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    /// The report, with its time by the clock of this machine.
    /// - Returns: nil for a state that does not exist.
    func report(_ local: (_ nanoseconds: Int64) -> UInt64) -> TransportReport? {
        guard let state = TransportState.allCases.first(where: { $0.name == self.state }) else { return nil }
        let time = time == 0 ? 0 : Int64(checked: time * 1e9).map(local) ?? 0
        return TransportReport(
            recording: recording, state: state.number, position: position, time: time, duration: duration, loops: loop)
    }
}
