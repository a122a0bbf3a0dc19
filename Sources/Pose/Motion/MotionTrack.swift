internal import Foundation

/// A recorded head motion: timed poses from a file with the header `time,yaw,pitch,roll` (seconds, degrees), or the
/// tracker's poses of a ``RecordedHead``.
public struct MotionTrack: Sendable {
    /// Error in a motion file, with its line.
    public struct Failure: Error, CustomStringConvertible, Equatable {
        public let description: String
        public init(description: String) { self.description = description }
    }

    public static let header = "time,yaw,pitch,roll"
    private let times: [Double]
    private let poses: [SIMD4<Float>]

    /// Creates a constant pose.
    public init(yaw: Float, pitch: Float = 0, roll: Float = 0) {
        times = [0]
        poses = [Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll)]
    }

    /// - Throws: ``Failure`` with the line of a missing header, an invalid number or a time that does not increase.
    public init(path: String) throws(Failure) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Failure(description: "motion \(path): the file cannot be read; specify an existing CSV file")
        }
        try self.init(csv: text, name: path)
    }

    public init(csv: String, name: String) throws(Failure) {
        func fail(_ line: Int, _ reason: String) -> Failure {
            Failure(description: "motion \(name):\(line): \(reason)")
        }
        if csv.hasPrefix(RecordedHead.header) {
            let recorded = try RecordedHead(csv: csv, name: name)
            (times, poses) = (recorded.poses.map(\.time), recorded.poses.map(\.quaternion))
            return
        }
        var times: [Double] = []
        var poses: [SIMD4<Float>] = []
        for (index, line) in csv.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            if index == 0 {
                guard fields.joined(separator: ",") == Self.header else {
                    throw fail(1, "the header must be \"\(Self.header)\"")
                }
                continue
            }
            if fields.allSatisfy(\.isEmpty) { continue }
            let numbers = fields.compactMap(Double.init).filter { Float($0).isFinite }
            guard fields.count == 4, numbers.count == 4 else {
                throw fail(index + 1, "expected four finite numbers (\(Self.header)), found \"\(line)\"")
            }
            guard numbers[0] > times.last ?? -.infinity else {
                throw fail(index + 1, "time \(numbers[0]) does not come after \(times.last ?? 0)")
            }
            times.append(numbers[0])
            poses.append(
                Orientation.quaternion(yaw: Float(numbers[1]), pitch: Float(numbers[2]), roll: Float(numbers[3])))
        }
        guard !times.isEmpty else { throw fail(2, "the file contains no poses; write at least one line of four numbers") }
        self.times = times
        self.poses = poses
    }

    /// The times of all poses in seconds, ascending.
    public var moments: [Double] { times }

    /// Returns the pose at `seconds`: interpolated along the shortest arc between two poses, constant before the first and
    /// after the last.
    public func quaternion(at seconds: Double) -> SIMD4<Float> {
        var first = 0
        var past = times.count
        while first < past {
            let middle = (first + past) / 2
            if times[middle] <= seconds { first = middle + 1 } else { past = middle }
        }
        guard first > 0 else { return poses[0] }
        guard first < times.count else { return poses[times.count - 1] }
        let share = (seconds - times[first - 1]) / (times[first] - times[first - 1])
        return Orientation.between(poses[first - 1], poses[first], share: share)
    }
}
