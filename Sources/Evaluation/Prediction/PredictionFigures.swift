internal import Crossing
internal import Foundation
internal import Tracking

/// How far off the head is that is heard, with and without prediction, over one recording.
public struct PredictionFigures: Sendable {
    /// Degrees between the head that is rendered and the one that hears it.
    public struct Errors: Sendable {
        public var mean = 0.0
        public var p95 = 0.0
        public var most = 0.0

        init(_ degrees: [Double]) {
            guard !degrees.isEmpty else { return }
            let sorted = degrees.sorted()
            mean = degrees.reduce(0, +) / Double(degrees.count)
            p95 = sorted[max(0, Int((0.95 * Double(sorted.count)).rounded(.up)) - 1)]
            most = sorted[sorted.count - 1]
        }
    }

    public let name: String
    public let poses: Int
    /// Of poses, hertz.
    public let rate: Double
    public let held: Errors
    public let predicted: Errors
    /// Mean error with prediction over that without; 1 for a head that never moved.
    public var ratio: Double { held.mean > 0 ? predicted.mean / held.mean : 1 }

    /// Sends the recording through the very inlet that trackers use, and looks as a renderer would.
    ///
    /// - Parameters:
    ///   - latency: seconds from a pose's receipt to the ear.
    ///   - step: seconds from one look to the next.
    public init(_ recording: TrackerRecording, latency: Double, step: Double = 64 / 48_000) {
        let origin = 1_000_000_000.0
        func nanoseconds(_ time: Double) -> UInt64 { UInt64((time + 10) * 1e9 + origin) }
        let poses = Latest(HeadPose.ahead)
        var reader = poses.reader
        let horizon = Horizon()
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
            let age = Float(Int64(nanoseconds(time)) - Int64(pose.course.time)) * 1e-9
            let truth = recording.truth(time)
            held.append(Orientation.angle(pose.quaternion, truth))
            predicted.append(
                Orientation.angle(pose.course.turned(pose.quaternion, ahead: max(0, age), age: max(0, age)), truth))
            time += step
        }
        name = recording.name
        self.poses = recording.poses.count
        rate = end > begin - latency ? Double(recording.poses.count - 1) / (end - begin + latency) : 0
        self.held = Errors(held)
        self.predicted = Errors(predicted)
    }
}
