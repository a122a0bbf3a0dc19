/// The frames in which the spectral methods work: 2.7 ms, half overlapping, whatever the rate.
///
/// Longer frames give the same error (simulated at N = 16 for one, two and four sources: 64 to 512 samples differ by
/// less than 0.01 dB) and only add latency.
public struct SpectralFrame: BitwiseCopyable, Sendable, Equatable {
    /// Samples, a power of two.
    public let length: Int
    /// Samples from frame to frame.
    public let hop: Int
    /// Samples: a frame is complete when its last sample is there, and its first one is heard then.
    public var latency: Int { @_noLocks @_noAllocation get { length } }

    /// - Parameter rate: frames per second.
    @_noLocks @_noAllocation
    public init(rate: Float) {
        length = rate < 64_000 ? 128 : rate < 128_000 ? 256 : 512
        hop = length / 2
    }
}
