internal import Crossing
internal import Foundation
internal import Pose
internal import RenderInterface

/// Error of the rendered head over one recording, with and without prediction.
public struct PredictionFigures: Sendable {
    /// Angle in degrees between the rendered and the actual orientation.
    public struct Errors: Sendable {
        public var mean = 0.0
        public var p95 = 0.0
        public var most = 0.0

        init(_ degrees: [Double]) {
            guard !degrees.isEmpty else { return }
            let sorted = degrees.sorted()
            mean = degrees.reduce(0, +) / Double(degrees.count)
            p95 = sorted[max(0, Int(clamping: (0.95 * Double(sorted.count)).rounded(.up)) - 1)]
            most = sorted[sorted.count - 1]
        }
    }

    public let name: String
    public let poses: Int
    /// Rate of poses, hertz.
    public let rate: Double
    public let held: Errors
    public let predicted: Errors
    /// Ratio of the mean errors with and without prediction; 1 for a head that never moves.
    public var ratio: Double { held.mean > 0 ? predicted.mean / held.mean : 1 }

    /// Sends the recording through the input that live trackers use, and reads it as a renderer does.
    ///
    /// - Parameters:
    ///   - latency: seconds from receipt of a pose to the sound at the ear.
    ///   - step: seconds between reads.
    public init(_ recording: TrackerRecording, latency: Double, step: Double = 64 / 48_000) {
        let origin = 1_000_000_000.0
        func nanoseconds(_ time: Double) -> UInt64 { UInt64(clamping: (time + 10) * 1e9 + origin) }
        let poses = Latest(HeadPose.ahead)
        var reader = poses.reader
        let horizon = Target()
        horizon.makeWriter().set(Float(max(latency, 0.001)))
        let inlet = PoseInlet(poses.writer, horizon: horizon)

        let begin = (recording.poses.first?.received ?? 0) + latency
        let end = recording.poses.last?.received ?? 0
        var (held, predicted): ([Double], [Double]) = ([], [])
        var (next, time) = (0, begin)
        while time <= end {
            while next < recording.poses.count, recording.poses[next].received + latency <= time {
                let pose = recording.poses[next]
                inlet.send(
                    quaternion: pose.quaternion, receiveTime: nanoseconds(pose.received),
                    senderTime: pose.taken.map(nanoseconds) ?? 0)
                next += 1
            }
            let pose = reader.read()
            let age = Float(Int64(nanoseconds(time)) - Int64(pose.trajectory.time)) * 1e-9
            let truth = recording.truth(time)
            held.append(Orientation.angle(pose.quaternion, truth))
            predicted.append(
                Orientation.angle(pose.trajectory.predicted(pose.quaternion, ahead: max(0, age), age: max(0, age)), truth))
            time += step
        }
        name = recording.name
        self.poses = recording.poses.count
        rate = end > begin - latency ? Double(recording.poses.count - 1) / (end - begin + latency) : 0
        self.held = Errors(held)
        self.predicted = Errors(predicted)
    }
}
