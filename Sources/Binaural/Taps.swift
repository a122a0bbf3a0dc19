/// What an ear is made of: rows of the prepared scene, each with a weight.
///
/// A view of memory that somebody else owns; room for every row.
public struct Taps: ~Copyable {
    /// The forms in which the scene holds every microphone: whole, and five parts for each ``Crossover``.
    @frozen
    public enum Band: Int, CaseIterable, Sendable {
        case full
        /// At the crossover of the methods that interpolate between neighbours.
        case low, high, delayedLow, magnitude, phase
        /// The same at the crossover of the methods that use the whole ring.
        case ringLow, ringHigh, ringDelayedLow, ringMagnitude, ringPhase
        /// The ear's own filters have been there: its first row is the ear.
        case personal

        /// A part at a crossover; `part` is the one at ``Crossover/neighbours``.
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

        /// - Parameter number: as ``number``; ``full`` for any that is none.
        @_noLocks @_noAllocation
        public init(number: Int) {
            guard let band = Band(rawValue: number) else {
                self = .full
                return
            }
            self = band
        }

        /// From 0 up, in the order of declaration.
        public var number: Int { @_noLocks @_noAllocation @inlinable get { rawValue } }
    }

    /// Rows of all bands: row = band * 64 + channel.
    public static var rows: Int { @_noLocks @_noAllocation @inlinable get { 768 } }

    // SAFETY: the owner of the memory outlives this view and lends it to nobody else meanwhile.
    nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>

    /// - Parameter weights: one per row, all zero.
    @_noLocks @_noAllocation
    public init(weights: UnsafeMutablePointer<Float>) { self.weights = weights }

    @_noLocks @_noAllocation
    public mutating func add(_ band: Band, _ channel: Int, _ weight: Float) {
        weights[Taps.row(band, channel)] += weight
    }

    @_noLocks @_noAllocation @inlinable
    public static func row(_ band: Band, _ channel: Int) -> Int { band.number &* 64 &+ channel }
}
