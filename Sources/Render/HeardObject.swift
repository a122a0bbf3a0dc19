/// An object that is heard in the present block.
struct HeardObject: BitwiseCopyable {
    var object: Int
    /// A unit vector to it from the middle of the heads, in the world: front, left, up.
    var direction: SIMD3<Float>
    /// It was not heard in the block before.
    var isFresh: Bool

    @_noLocks @_noAllocation
    init(object: Int, direction: SIMD3<Float>, isFresh: Bool) {
        self.object = object
        self.direction = direction
        self.isFresh = isFresh
    }
}
