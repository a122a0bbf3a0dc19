/// Triangular dither, two quantisation steps wide: makes the rounding error independent of the signal.
///
/// Its random numbers are its own, for speed: two for each sample that a device plays. ``SeededRandom`` is for everything else.
public struct Dither: BitwiseCopyable, Sendable {
    private var state: UInt32

    public init(seed: UInt32 = 0x9E37_79B9) { state = seed | 1 }

    /// Returns the next value, -1 to 1 quantisation steps: the sum of two xorshift32 draws (Marsaglia 2003).
    @_noLocks @_noAllocation
    public mutating func next() -> Float { draw() + draw() }

    @_noLocks @_noAllocation
    private mutating func draw() -> Float {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        return Float(Int32(truncatingIfNeeded: state) &>> 8) * 0x1p-24
    }
}
