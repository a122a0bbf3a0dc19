internal import Foundation
package import RenderInterface

/// A head as it was rendered, block by block, for an exact repetition of a session.
///
/// A CSV file with these columns: the first frame of the sound recording for which the head orientation applies; the head
/// orientation; the time of the tracker's pose in seconds; that pose; the place of the head, which older files lack. Numbers are written
/// with full precision.
public struct RecordedHead: Sendable {
    public static let header = unplacedHeader + ",front,left,up"
    /// Beginning of every header; the whole header of files without places.
    static let unplacedHeader = "frame,w,x,y,z,time,tracker_w,tracker_x,tracker_y,tracker_z"

    private let frames: [Int64]
    private let heads: [SIMD4<Float>]
    /// Metres in the world: front, left, up.
    private let places: [SIMD3<Float>]
    /// The tracker's poses with their times in seconds, ascending.
    public let poses: [(time: Double, quaternion: SIMD4<Float>)]

    /// - Throws: `MotionTrack.Failure` with the line of the error.
    public init(csv: String, name: String) throws(MotionTrack.Failure) {
        var frames: [Int64] = []
        var heads: [SIMD4<Float>] = []
        var places: [SIMD3<Float>] = []
        var count = 10
        var poses: [(time: Double, quaternion: SIMD4<Float>)] = []
        for (index, line) in csv.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            func fail(_ reason: String) -> MotionTrack.Failure {
                MotionTrack.Failure(description: "motion \(name):\(index + 1): \(reason)")
            }
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            if index == 0 {
                let header = fields.joined(separator: ",")
                guard header == Self.header || header == Self.unplacedHeader else {
                    throw fail("the header must be \"\(Self.header)\"")
                }
                count = fields.count
                continue
            }
            if fields.allSatisfy(\.isEmpty) { continue }
            let floats = fields.map { Float($0) ?? .nan }
            guard fields.count == count, let frame = Int64(fields[0]), let time = Double(fields[5]), time.isFinite,
                let head = Orientation.normalised(SIMD4(floats[1], floats[2], floats[3], floats[4])),
                let pose = Orientation.normalised(SIMD4(floats[6], floats[7], floats[8], floats[9]))
            else {
                throw fail("expected \(count == 10 ? "ten" : "13") numbers including two quaternions (\(Self.header)), found \"\(line)\"")
            }
            guard frame > frames.last ?? -1 else { throw fail("frame \(frame) does not come after \(frames.last ?? 0)") }
            let place = count == 10 ? SIMD3<Float>.zero : SIMD3(floats[10], floats[11], floats[12])
            guard (place * place).sum().isFinite else { throw fail("expected finite coordinates of a place, found \"\(line)\"") }
            places.append(place)
            frames.append(frame)
            heads.append(head)
            if time > poses.last?.time ?? -.infinity { poses.append((time, pose)) }
        }
        guard !frames.isEmpty else {
            throw MotionTrack.Failure(description: "motion \(name):2: the file contains no head poses; record it again")
        }
        (self.frames, self.heads, self.poses, self.places) = (frames, heads, poses, places)
    }

    /// First and last frame at which a head orientation begins.
    var begin: Int64 { frames[0] }
    var end: Int64 { frames[frames.count - 1] }

    /// Returns the head orientation of the block that begins with `frame`.
    public func head(at frame: Int64) -> SIMD4<Float> { heads[step(at: frame)] }

    /// Returns the place of the head in the block that begins with `frame`.
    public func place(at frame: Int64) -> SIMD3<Float> { places[step(at: frame)] }

    private func step(at frame: Int64) -> Int {
        var (first, past) = (0, frames.count)
        while first < past {
            let middle = (first + past) / 2
            if frames[middle] <= frame { first = middle + 1 } else { past = middle }
        }
        return max(0, first - 1)
    }

    /// Returns one line of the file.
    ///
    /// - Parameter origin: CLOCK_MONOTONIC nanoseconds that count as 0 seconds.
    package static func line(_ step: HeadStep, origin: UInt64) -> String {
        let seconds = step.time == 0 ? 0 : Double(Int64(bitPattern: step.time &- origin)) / 1e9
        func text(_ q: SIMD4<Float>) -> String { "\(q[0]),\(q[1]),\(q[2]),\(q[3])" }
        return "\(step.position),\(text(step.head)),\(seconds),\(text(step.pose)),\(step.place[0]),\(step.place[1]),\(step.place[2])\n"
    }
}
