/// Levels and weights of one listener, gathered since the last frame that was delivered.
public struct ListenerFrame: BitwiseCopyable, Sendable {
    /// Number of microphones with weights.
    public var count: Int32 = 0
    public var frames: Int32 = 0
    public var pose = HeadPose.ahead
    /// Latency of the interpolation method, samples.
    public var latency: Int32 = 0
    /// Current frequency between the two bands of the method, Hz; 0 for a method with one band.
    public var crossover: Float = 0
    /// Largest absolute values, left and right.
    public var peak = SIMD2<Float>.zero
    /// Sums of squares, left and right; divided by `frames` they are mean squares.
    public var energy = SIMD2<Float>.zero
    /// Largest gain reduction of the protecting limiter, decibels.
    public var reduction: Float = 0
    /// Weights of the low band: left ear's from index 0, right ear's from index 64.
    public var low: InlineArray<128, Float> = .init(repeating: 0)
    /// Weights of the high band, in the same order.
    public var high: InlineArray<128, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}
