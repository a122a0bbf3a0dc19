/// Decides which of several trackers controls a head: the last that moved.
///
/// A tracker that lies on a table and sends a hundred poses per second does not take the head from one that is worn.
public struct HeadArbiter: Sendable {
    /// Number of a tracker from 0, or ``direct``.
    public typealias Source = Int
    /// Poses sent to the listener's own address.
    public static let direct: Source = -1

    private struct Anchor {
        var pose: SIMD4<Double>
        var time: UInt64
        /// Time of the newest pose.
        var heard: UInt64
    }

    /// The source that controls the head; nil when any source may take it.
    public private(set) var holder: Source?
    private var anchors: [Source: Anchor] = [:]

    /// Degrees within ``window`` that count as a movement: more than the noise and drift of a tracker at rest.
    static let movement = 2.0
    /// Nanoseconds.
    static let window: UInt64 = 500_000_000
    /// Nanoseconds of silence after which a pose counts as deliberate even without a movement.
    static let silence: UInt64 = 1_000_000_000

    public init() {}

    /// - Returns: whether this pose controls the head.
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

    /// Gives the head to a source regardless of movement.
    public mutating func seize(_ source: Source) { holder = source }

    /// Releases the head if the source holds it.
    public mutating func release(_ source: Source) { if holder == source { holder = nil } }

    /// Forgets a detached tracker. Its first pose after it returns counts as a movement.
    public mutating func forget(_ source: Source) {
        release(source)
        anchors[source] = nil
    }
}
