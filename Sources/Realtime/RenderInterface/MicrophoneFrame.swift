/// Levels of the microphones, gathered since the last frame that was delivered.
public struct MicrophoneFrame: BitwiseCopyable, Sendable {
    /// Number of microphones.
    public var count: Int32 = 0
    public var frames: Int32 = 0
    /// Largest absolute values.
    public var peak: InlineArray<64, Float> = .init(repeating: 0)
    /// Sums of squares; divided by `frames` they are mean squares.
    public var energy: InlineArray<64, Float> = .init(repeating: 0)

    @_noLocks @_noAllocation
    public init() {}
}
