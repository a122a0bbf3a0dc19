/// Peaks and sums of squares of both ears in one block, left and right.
package struct EarLevels: BitwiseCopyable, Sendable {
    package let peak: SIMD2<Float>
    package let energy: SIMD2<Float>

    @_noLocks @_noAllocation
    init(peak: SIMD2<Float>, energy: SIMD2<Float>) {
        self.peak = peak
        self.energy = energy
    }
}
