/// What an ear is made of: rows of the prepared scene, each with a weight.
///
/// A view of memory that somebody else owns; room for every row.
public struct Taps: ~Copyable {
    /// The forms in which the scene holds every microphone.
    public enum Band: Int, CaseIterable, Sendable { case full, low, high }

    /// Rows of all bands: row = band * 64 + channel.
    public static var rows: Int { @_noLocks @_noAllocation get { 192 } }

    // SAFETY: the owner of the memory outlives this view and lends it to nobody else meanwhile.
    nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>
    /// Which bands have a weight other than zero.
    public private(set) var bands: UInt8 = 0

    /// - Parameter weights: one per row, all zero.
    @_noLocks @_noAllocation
    public init(weights: UnsafeMutablePointer<Float>) { self.weights = weights }

    @_noLocks @_noAllocation
    public mutating func add(_ band: Band, _ channel: Int, _ weight: Float) {
        guard weight != 0 else { return }
        let row = Taps.row(band, channel)
        weights[row] += weight
        bands |= 1 << UInt8(truncatingIfNeeded: band.rawValue)
    }

    @_noLocks @_noAllocation
    public static func row(_ band: Band, _ channel: Int) -> Int { band.rawValue &* 64 &+ channel }
}
