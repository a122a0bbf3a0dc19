internal import Foundation

/// An engine's answer to a question about its clock, CLOCK_MONOTONIC in seconds.
struct ClockReading: Codable, Equatable {
    /// Time at which the question arrived.
    let received: Double
    /// Time of the answer.
    let sent: Double

    init(received: UInt64, sent: UInt64) { (self.received, self.sent) = (Double(received) / 1e9, Double(sent) / 1e9) }

    /// - Returns: nil for anything else.
    init?(_ payload: [UInt8]) {
        guard let reading = try? JSONDecoder().decode(Self.self, from: Data(payload)) else { return nil }
        self = reading
    }

    var json: [UInt8] {
        #"{"received":"#.utf8 + MQTTValue.number(received) + Array(#","sent":"#.utf8) + MQTTValue.number(sent) + [UInt8(ascii: "}")]
    }
}
