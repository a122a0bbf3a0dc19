/// A sound object that is audible in the current block.
package struct ActiveObject: BitwiseCopyable {
    /// Number of the object, counted from 0.
    package var object: Int
    /// Unit vector from the middle of the heads to the object, in the world: front, left, up.
    package var direction: SIMD3<Float>
    /// Whether it was inaudible in the block before.
    package var isFresh: Bool

    @_noLocks @_noAllocation
    init(object: Int, direction: SIMD3<Float>, isFresh: Bool) {
        self.object = object
        self.direction = direction
        self.isFresh = isFresh
    }
}
