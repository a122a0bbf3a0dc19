/// The sizes of `personal`: parts in which it convolves, taps of its filters, and what it adds to the time sound takes.
public struct PersonalFrame: BitwiseCopyable, Sendable, Equatable {
    /// Samples that are convolved at a time, a power of two.
    public let part: Int
    /// Parts of a filter.
    public static var parts: Int { @_noLocks @_noAllocation get { 4 } }
    /// Samples of a filter: 10.7 ms at 48 kHz.
    public var taps: Int { @_noLocks @_noAllocation get { part &* Self.parts } }
    /// Samples by which the filters are late, so that what has to come early still can: 2 ms at 48 kHz.
    public var delay: Int { @_noLocks @_noAllocation get { part &* 3 / 4 } }
    /// Samples: a part is complete when its last sample is there, and is heard from then on.
    public var latency: Int { @_noLocks @_noAllocation get { part &+ delay } }
    /// Floats of the real or the imaginary parts of a part's spectrum, in whole lanes.
    public var plane: Int { @_noLocks @_noAllocation get { (part &+ 16) & ~15 } }

    /// - Parameter rate: frames per second.
    @_noLocks @_noAllocation
    public init(rate: Float) { part = SpectralFrame(rate: rate).length }
}
