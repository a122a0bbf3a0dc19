internal import Foundation
package import RenderInterface

/// A head as it was rendered, block by block, for an exact repetition of a session.
///
/// A CSV file with these columns: the first frame of the sound recording for which the head orientation applies; the head
/// orientation; the time of the tracker's pose in seconds; that pose. Numbers are written with full precision.
public struct RecordedHead: Sendable {
    public static let header = "frame,w,x,y,z,time,tracker_w,tracker_x,tracker_y,tracker_z"

    private let frames: [Int64]
    private let heads: [SIMD4<Float>]
    /// The tracker's poses with their times in seconds, ascending.
    public let poses: [(time: Double, quaternion: SIMD4<Float>)]

    /// - Throws: `MotionTrack.Failure` with the line of the error.
    public init(csv: String, name: String) throws(MotionTrack.Failure) {
        var frames: [Int64] = []
        var heads: [SIMD4<Float>] = []
        var poses: [(time: Double, quaternion: SIMD4<Float>)] = []
        for (index, line) in csv.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            func fail(_ reason: String) -> MotionTrack.Failure {
                MotionTrack.Failure(description: "motion \(name):\(index + 1): \(reason)")
            }
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            if index == 0 {
                guard fields.joined(separator: ",") == Self.header else { throw fail("the header must be \"\(Self.header)\"") }
                continue
            }
            if fields.allSatisfy(\.isEmpty) { continue }
            let floats = fields.map { Float($0) ?? .nan }
            guard fields.count == 10, let frame = Int64(fields[0]), let time = Double(fields[5]), time.isFinite,
                let head = Orientation.normalised(SIMD4(floats[1], floats[2], floats[3], floats[4])),
                let pose = Orientation.normalised(SIMD4(floats[6], floats[7], floats[8], floats[9]))
            else { throw fail("expected ten numbers including two quaternions (\(Self.header)), found \"\(line)\"") }
            guard frame > frames.last ?? -1 else { throw fail("frame \(frame) does not come after \(frames.last ?? 0)") }
            frames.append(frame)
            heads.append(head)
            if time > poses.last?.time ?? -.infinity { poses.append((time, pose)) }
        }
        guard !frames.isEmpty else {
            throw MotionTrack.Failure(description: "motion \(name):2: the file contains no head poses; record it again")
        }
        (self.frames, self.heads, self.poses) = (frames, heads, poses)
    }

    /// First and last frame at which a head orientation begins.
    var begin: Int64 { frames[0] }
    var end: Int64 { frames[frames.count - 1] }

    /// Returns the head orientation of the block that begins with `frame`.
    public func head(at frame: Int64) -> SIMD4<Float> {
        var (first, past) = (0, frames.count)
        while first < past {
            let middle = (first + past) / 2
            if frames[middle] <= frame { first = middle + 1 } else { past = middle }
        }
        return heads[max(0, first - 1)]
    }

    /// Returns one line of the file.
    ///
    /// - Parameter origin: CLOCK_MONOTONIC nanoseconds that count as 0 seconds.
    package static func line(_ step: HeadStep, origin: UInt64) -> String {
        let seconds = step.time == 0 ? 0 : Double(Int64(bitPattern: step.time &- origin)) / 1e9
        func text(_ q: SIMD4<Float>) -> String { "\(q[0]),\(q[1]),\(q[2]),\(q[3])" }
        return "\(step.position),\(text(step.head)),\(seconds),\(text(step.pose))\n"
    }
}
