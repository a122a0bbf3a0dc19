/// Where the present block of the live input is, both sides; valid within the block.
struct InputView: BitwiseCopyable {
    let left: UnsafePointer<Float>
    let right: UnsafePointer<Float>

    @_noLocks @_noAllocation
    init(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        self.left = left
        self.right = right
    }
}
