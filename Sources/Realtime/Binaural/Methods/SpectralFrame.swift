/// Frames of the spectral methods: 2.7 ms at any rate, half overlapping.
///
/// Longer frames give the same error (simulated at N = 16 for one, two and four sources: 64 to 512 samples differ by
/// less than 0.01 dB) and only add latency.
public struct SpectralFrame: BitwiseCopyable, Sendable, Equatable {
    /// Length, samples; a power of two.
    public let length: Int
    /// Distance between two frames, samples.
    public let hop: Int
    /// Latency, samples: a frame is heard after its last sample has arrived.
    public var latency: Int { @_noLocks @_noAllocation get { length } }

    /// - Parameter rate: frames per second.
    @_noLocks @_noAllocation
    public init(rate: Float) {
        length = rate < 64_000 ? 128 : rate < 128_000 ? 256 : 512
        hop = length / 2
    }
}
