internal import CRealtime

/// View of a ``FilterBank`` for the audio thread; the bank must outlive it.
public struct FilterBankView: BitwiseCopyable, Sendable {
    // SAFETY: memory of the bank, which is not written any more and whose holder outlives this view.
    private nonisolated(unsafe) let spectra: UnsafePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let channels: UnsafePointer<Int32>
    // SAFETY: as above.
    private nonisolated(unsafe) let gains: UnsafePointer<Float>
    /// Microphones that have filters.
    public let count: Int
    private let sectors: Int
    private let sets: Int
    private let plane: Int

    init(
        spectra: UnsafePointer<Float>, channels: UnsafePointer<Int32>, gains: UnsafePointer<Float>, count: Int,
        sectors: Int, sets: Int, plane: Int
    ) {
        (self.spectra, self.channels, self.gains, self.count) = (spectra, channels, gains, count)
        (self.sectors, self.sets, self.plane) = (sectors, sets, plane)
    }

    /// Number of turns of the head with filters: one for each set in each sector.
    private var turns: Int { @_noLocks @_noAllocation get { sectors &* sets } }

    /// Distance from a turn, as a share of the distance between two, within which a head counts as exactly there: one filter is then
    /// enough, with an error of a thousandth of the difference between neighbouring filters.
    private static var exact: Float { @_noLocks @_noAllocation get { 0.001 } }

    /// Place of a head that points to `yaw`, degrees, among the turns.
    @_noLocks @_noAllocation
    public func place(_ yaw: Float) -> FilterPlace {
        let along = yaw * (Float(turns) / 360)
        let nearest = rt_floor(along + 0.5)
        let isExact = abs(along - nearest) < Self.exact
        let floor = isExact ? nearest : rt_floor(along)
        let turn = ((Int(clamping: floor) % turns) &+ turns) % turns
        return FilterPlace(turn: turn, next: turn &+ 1 < turns ? turn &+ 1 : 0, share: isExact ? 0 : along - floor)
    }

    /// Whether both views are of the same bank.
    @_noLocks @_noAllocation
    public static func == (a: FilterBankView, b: FilterBankView) -> Bool { a.spectra == b.spectra }

    /// The channel that the filter at `place` is for.
    @_noLocks @_noAllocation
    public func channel(turn: Int, place: Int) -> Int {
        let shifted = place &+ turn / sets
        return Int(channels[shifted < count ? shifted : shifted &- count])
    }

    /// Level of white noise through the filter of the microphone at `place` for an ear.
    @_noLocks @_noAllocation
    public func gain(turn: Int, ear: Ear, place: Int) -> Float {
        gains[((turn % sets) &* 2 &+ (ear.azimuth > 0 ? 0 : 1)) &* count &+ place]
    }

    /// The spectra of all filters of an ear: sixteen real and sixteen imaginary parts of the first filter's first part,
    /// those of the next filters' first parts, then those of the second parts and so on; all this again for the next
    /// sixteen bins.
    @_noLocks @_noAllocation
    public func filters(turn: Int, ear: Ear) -> UnsafePointer<Float> {
        let row = (turn % sets) &* 2 &+ (ear.azimuth > 0 ? 0 : 1)
        return spectra + row &* count &* HRTFFrame.parts &* 2 &* plane
    }
}
