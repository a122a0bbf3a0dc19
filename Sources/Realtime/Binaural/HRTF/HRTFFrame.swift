/// Sizes of the HRTF convolution: partition, filter length, and latency.
public struct HRTFFrame: BitwiseCopyable, Sendable, Equatable {
    /// Samples in a partition, a power of two.
    public let part: Int
    /// Partitions of a filter.
    public static var parts: Int { @_noLocks @_noAllocation get { 4 } }
    /// Partitions of a filter for sound objects.
    public static var objectParts: Int { @_noLocks @_noAllocation get { 2 } }
    /// Length of a filter for sound objects, samples: 5.3 ms at 48 kHz.
    public var objectTaps: Int { @_noLocks @_noAllocation get { part &* Self.objectParts } }
    /// Length of a filter, samples: 10.7 ms at 48 kHz.
    public var taps: Int { @_noLocks @_noAllocation get { part &* Self.parts } }
    /// Delay of the filters that keeps them causal, samples: 2 ms at 48 kHz.
    public var delay: Int { @_noLocks @_noAllocation get { part &* 3 / 4 } }
    /// Latency, samples: a partition is heard after its last sample has arrived.
    public var latency: Int { @_noLocks @_noAllocation get { part &+ delay } }
    /// Floats in the real or the imaginary parts of a partition's spectrum, in whole lanes.
    public var plane: Int { @_noLocks @_noAllocation get { (part &+ 16) & ~15 } }

    /// - Parameter rate: frames per second.
    @_noLocks @_noAllocation
    public init(rate: Float) { part = SpectralFrame(rate: rate).length }
}
