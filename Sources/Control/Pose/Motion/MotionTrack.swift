internal import Files
internal import Foundation

/// A recorded head motion: timed poses from a CSV file with the columns time, yaw, pitch and roll, or time, w, x, y and z, and places (see
/// ``MotionTable``), or the tracker's poses of a ``RecordedHead``.
public struct MotionTrack: Sendable {
    /// Error in a motion file, with its line.
    public struct Failure: Error, CustomStringConvertible, Equatable {
        public let description: String
        public init(description: String) { self.description = description }
    }

    /// Header of a file with angles.
    public static let header = "time,yaw,pitch,roll"
    private let times: [Double]
    private let poses: [SIMD4<Float>]
    /// Places of the head, metres from the listener's own; empty for a motion without.
    private let places: [SIMD3<Float>]

    /// Creates a constant pose.
    public init(yaw: Float, pitch: Float = 0, roll: Float = 0) {
        times = [0]
        poses = [Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll)]
        places = []
    }

    /// - Throws: ``Failure`` with the line of a wrong header, an invalid number or a time that does not increase.
    public init(path: String) throws(Failure) {
        try self.init(csv: Self.text(path), name: path)
    }

    /// Largest size in bytes: ten hours of a tracker with 100 poses a second.
    private static let largest = 512 << 20

    static func text(_ path: String) throws(Failure) -> String {
        do { return try RegularFile(path).text(atMost: largest) } catch {
            let remedy = error.isMissing ? "specify an existing CSV file" : error.remedy
            throw Failure(description: "motion \(path): the file cannot be read: \(error.reason); \(remedy)")
        }
    }

    public init(csv: String, name: String) throws(Failure) {
        func fail(_ line: Int, _ reason: String) -> Failure {
            Failure(description: "motion \(name):\(line): \(reason)")
        }
        if csv.hasPrefix(RecordedHead.unplacedHeader) {
            let recorded = try RecordedHead(csv: csv, name: name)
            (times, poses, places) = (recorded.poses.map(\.time), recorded.poses.map(\.quaternion), [])
            return
        }
        let table = try MotionTable(csv: csv, name: name)
        var times: [Double] = []
        var poses: [SIMD4<Float>] = []
        var places: [SIMD3<Float>] = []
        for row in table.rows {
            func number(_ quantity: MotionColumn.Quantity) -> Float { Float(row.numbers[quantity] ?? 0) }
            let time = row.numbers[.time] ?? 0
            guard time > times.last ?? -.infinity else {
                throw fail(row.line, "time \(time) does not come after \(times.last ?? 0)")
            }
            guard
                let pose = table.hasQuaternions
                    ? Orientation.normalised(SIMD4(number(.w), number(.x), number(.y), number(.z)))
                    : Orientation.quaternion(yaw: number(.yaw), pitch: number(.pitch), roll: number(.roll))
            else { throw fail(row.line, "the quaternion is 0; expected one of length 1") }
            times.append(time)
            poses.append(pose)
            places.append(SIMD3(number(.front), number(.left), number(.up)))
        }
        self.places = places.contains { $0 != .zero } ? places : []
        self.times = times
        self.poses = poses
    }

    /// The times of all poses in seconds, ascending.
    public var moments: [Double] { times }

    /// Returns the pose at `seconds`: interpolated along the shortest arc between two poses, constant before the first and
    /// after the last.
    public func quaternion(at seconds: Double) -> SIMD4<Float> {
        let (pose, next, share) = span(at: seconds)
        return pose == next ? poses[pose] : Orientation.between(poses[pose], poses[next], share: share)
    }

    /// Returns the place of the head at `seconds`, metres from the listener's own: interpolated as the pose is.
    public func place(at seconds: Double) -> SIMD3<Float> {
        guard !places.isEmpty else { return .zero }
        let (pose, next, share) = span(at: seconds)
        return places[pose] + (places[next] - places[pose]) * Float(share)
    }

    /// The poses before and after a time, and the share of the way between them.
    private func span(at seconds: Double) -> (pose: Int, next: Int, share: Double) {
        var first = 0
        var past = times.count
        while first < past {
            let middle = (first + past) / 2
            if times[middle] <= seconds { first = middle + 1 } else { past = middle }
        }
        guard first > 0 else { return (0, 0, 0) }
        guard first < times.count else { return (times.count - 1, times.count - 1, 0) }
        return (first - 1, first, (seconds - times[first - 1]) / (times[first] - times[first - 1]))
    }
}
