/// Both sides of the current block of live input; valid within the block.
package struct InputView: BitwiseCopyable {
    package let left: UnsafePointer<Float>
    package let right: UnsafePointer<Float>

    @_noLocks @_noAllocation
    package init(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        self.left = left
        self.right = right
    }
}
