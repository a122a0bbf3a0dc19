internal import Binaural

/// State of one object in an ``ObjectHRTF``.
struct ObjectHRTFState: BitwiseCopyable {
    /// Direction at the end of the last block, in the head's axes: front, left, up.
    var direction = SIMD3<Float>(1, 0, 0)
    /// The same in the table.
    var place = DirectionPlace()
    /// Delays of both ears at the last frame, samples.
    var delays = SIMD2<Float>.zero
    /// Place for which the current filters were made.
    var filtered = DirectionPlace()
    /// Index of the current one of the two filters of each ear; negative before there is one.
    var present = -1
    /// Whether the object has been heard.
    var isKnown = false

    @_noLocks @_noAllocation
    init() {}
}
