/// Decides which of several trackers turns one head: the last that moved.
///
/// A tracker that lies on a table and reports so a hundred times a second does not keep a head from another that is worn.
public struct HeadArbiter: Sendable {
    /// Who sends: the number of a tracker from 0, or ``direct``.
    public typealias Source = Int
    /// Poses sent to the listener's own address.
    public static let direct: Source = -1

    private struct Anchor {
        var pose: SIMD4<Double>
        var time: UInt64
        /// Of the newest pose.
        var heard: UInt64
    }

    /// Whose poses count; nil when anybody's would.
    public private(set) var holder: Source?
    private var anchors: [Source: Anchor] = [:]

    /// Degrees within ``window`` that are a movement: more than a tracker at rest trembles and drifts.
    static let movement = 2.0
    /// Nanoseconds.
    static let window: UInt64 = 500_000_000
    /// Nanoseconds: who sends after such a silence means it, whether anything has moved or not.
    static let silence: UInt64 = 1_000_000_000

    public init() {}

    /// - Returns: whether this pose turns the head.
    public mutating func offer(_ source: Source, _ pose: SIMD4<Float>, now: UInt64) -> Bool {
        let pose = SIMD4<Double>(pose)
        let anchor = anchors[source]
        let hasMoved =
            anchor.map {
                Rotation.degrees($0.pose, pose) > Self.movement || now - min(now, $0.heard) > Self.silence
            } ?? true
        if anchor == nil || hasMoved || now - min(now, anchor?.time ?? 0) > Self.window {
            anchors[source] = Anchor(pose: pose, time: now, heard: now)
        } else {
            anchors[source]?.heard = now
        }
        if hasMoved || holder == nil { holder = source }
        return holder == source
    }

    /// The head is this source's, moved or not.
    public mutating func seize(_ source: Source) { holder = source }

    /// The head is anybody's again.
    public mutating func release(_ source: Source) { if holder == source { holder = nil } }

    /// A tracker that is gone; when it comes back it is as if it had moved.
    public mutating func forget(_ source: Source) {
        release(source)
        anchors[source] = nil
    }
}
