/// Weights of the rows of the prepared scene that make up an ear.
///
/// A view of memory owned elsewhere, with room for every row.
public struct Taps: ~Copyable {
    /// Forms in which the scene holds every microphone: the full band, and five parts for each ``Crossover``; and sums of all
    /// microphones.
    @frozen
    public enum Band: Int, CaseIterable, Sendable {
        case full
        /// Parts at the crossover of the methods that interpolate between neighbours.
        case low, high, delayedLow, magnitude, phase
        /// Parts at the crossover of the methods that use the whole ring.
        case ringLow, ringHigh, ringDelayedLow, ringMagnitude, ringPhase
        /// Rows of ``ElevationTerms`` instead of microphones, below the crossover of the ring, delayed: the difference between the sound at
        /// an ear above or below the ring's plane and that at its azimuth in the plane.
        case ringElevation
        /// Sum of all microphones through HRTF filters, in the first row.
        case hrtf

        /// The part at another crossover; `part` is the one at ``Crossover/neighbours``.
        @_noLocks @_noAllocation
        public init(_ part: Band, _ crossover: Crossover) {
            switch (part, crossover) {
            case (.full, _), (_, .neighbours): self = part
            case (.low, .ring): self = .ringLow
            case (.high, .ring): self = .ringHigh
            case (.delayedLow, .ring): self = .ringDelayedLow
            case (.magnitude, .ring): self = .ringMagnitude
            case (.phase, .ring): self = .ringPhase
            default: self = part
            }
        }

        /// Number in order of declaration, from 0.
        public var number: Int { @_noLocks @_noAllocation @inlinable get { rawValue } }
    }

    /// Number of rows of all bands, by which memory for weights is sized.
    public static var rows: Int { Band.allCases.count * MicrophoneArray.capacity }

    // SAFETY: the owner of the memory outlives this view and lets nothing else use it meanwhile.
    nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>

    /// - Parameter weights: one weight per row, all zero.
    @_noLocks @_noAllocation
    public init(weights: UnsafeMutablePointer<Float>) { self.weights = weights }

    @_noLocks @_noAllocation
    public mutating func add(_ band: Band, _ channel: Int, _ weight: Float) {
        weights[Taps.row(band, channel)] += weight
    }

    /// Number of rows that a band can have in an array of `channels` microphones.
    @_noLocks @_noAllocation @inlinable
    public static func rows(_ number: Int, channels: Int) -> Int {
        number == Band.ringElevation.number ? ElevationTerms.rows : channels
    }

    @_noLocks @_noAllocation @inlinable
    public static func row(_ band: Band, _ channel: Int) -> Int { band.number &* MicrophoneArray.capacity &+ channel }
}
