import Foundation

/// Head motion during a test, as CSV.
struct TestMotion {
    static let header = "time,trial,playing,passage_time,sound,condition,yaw,pitch,roll\n"

    private(set) var text: String

    /// - Parameter text: rows so far, with their header; empty for none.
    init(_ text: String) { self.text = text.isEmpty ? Self.header : text }

    /// - Parameters:
    ///   - time: seconds since the participant began.
    ///   - position: seconds in the passage.
    ///   - sound: as the participant sees it: 0 for the reference, otherwise the position.
    ///   - ypr: degrees.
    mutating func add(time: Double, trial: Int, isPlaying: Bool, position: Double, sound: Int, condition: String, ypr: [Float]) {
        let angles = ypr.map { String(format: "%.2f", $0) }.joined(separator: ",")
        text += String(format: "%.3f,%d,%d,%.2f,%d,", time, trial, isPlaying ? 1 : 0, position, sound) + condition + "," + angles + "\n"
    }
}
