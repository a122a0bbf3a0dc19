internal import Foundation

/// Where a head is while a recording is rendered: on its way between the poses of a motion, or as it was block by block.
public enum HeadSource: Sendable {
    case track(MotionTrack)
    case recorded(RecordedHead)

    /// - Throws: `MotionTrack.Failure` for what is neither.
    public init(path: String) throws(MotionTrack.Failure) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw MotionTrack.Failure(description: "motion \(path): the file cannot be read; name a CSV file that exists")
        }
        self =
            text.hasPrefix(RecordedHead.header)
            ? .recorded(try RecordedHead(csv: text, name: path)) : .track(try MotionTrack(csv: text, name: path))
    }

    /// The head of a block.
    /// - Parameters:
    ///   - frame: its first.
    ///   - end: seconds at its last, when a motion's pose is reached.
    public func head(frame: Int64, end: Double) -> SIMD4<Float> {
        switch self {
        case .track(let track): track.quaternion(at: end)
        case .recorded(let head): head.head(at: frame)
        }
    }
}
