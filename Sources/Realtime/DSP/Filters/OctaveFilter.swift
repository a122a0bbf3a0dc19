/// Coefficients of a filter with a level for each octave: six peaks and a shelf, each 1 + k(z) / a(z), in the lanes of vectors.
///
/// A lane of zeros changes nothing. Filters may be interpolated: between two stable ones all are.
public struct OctaveFilter: BitwiseCopyable, Sendable {
    /// Centres of the octaves, hertz. The last one shapes the top; its level is kept only as far as the others allow.
    public static var centres: SIMD8<Float> {
        @_noLocks @_noAllocation get { SIMD8(125, 250, 500, 1000, 2000, 4000, 8000, 16_000) }
    }

    public var gain: Float = 1
    public var a1 = SIMD8<Float>.zero
    public var a2 = SIMD8<Float>.zero
    public var k0 = SIMD8<Float>.zero
    public var k1 = SIMD8<Float>.zero
    public var k2 = SIMD8<Float>.zero

    /// A filter that changes nothing.
    @_noLocks @_noAllocation
    public init() {}
}
