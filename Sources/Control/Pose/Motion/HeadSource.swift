internal import Files
internal import Foundation

/// Head orientation while a recording is rendered: interpolated along a motion track, or as recorded block by block.
public enum HeadSource: Sendable {
    case track(MotionTrack)
    case recorded(RecordedHead)

    /// - Throws: `MotionTrack.Failure` when the file is neither.
    public init(path: String) throws(MotionTrack.Failure) {
        let text = try MotionTrack.text(path)
        self =
            text.hasPrefix(RecordedHead.unplacedHeader)
            ? .recorded(try RecordedHead(csv: text, name: path)) : .track(try MotionTrack(csv: text, name: path))
    }

    /// Time of the first pose in seconds.
    /// - Parameter rate: of the recording, frames per second.
    public func begin(rate: Double) -> Double {
        switch self {
        case .track(let track): track.moments.first ?? 0
        case .recorded(let head): Double(head.begin) / rate
        }
    }

    /// Time of the last pose in seconds.
    public func end(rate: Double) -> Double {
        switch self {
        case .track(let track): track.moments.last ?? 0
        case .recorded(let head): Double(head.end) / rate
        }
    }

    /// Returns the head orientation for a block.
    /// - Parameters:
    ///   - frame: the block's first frame.
    ///   - end: time of the block's last frame in seconds, at which a motion track is evaluated.
    public func head(frame: Int64, end: Double) -> SIMD4<Float> {
        switch self {
        case .track(let track): track.quaternion(at: end)
        case .recorded(let head): head.head(at: frame)
        }
    }

    /// Returns the place of the head for a block, metres from the listener's own.
    /// - Parameters:
    ///   - frame: the block's first frame.
    ///   - end: time of the block's last frame in seconds.
    public func place(frame: Int64, end: Double) -> SIMD3<Float> {
        switch self {
        case .track(let track): track.place(at: end)
        case .recorded(let head): head.place(at: frame)
        }
    }
}
