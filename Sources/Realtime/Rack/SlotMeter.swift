/// Indices in a slot's row of meters.
enum SlotMeter {
    /// Largest sample since it was read.
    static var level: Int { @_noLocks @_noAllocation get { 0 } }
    /// Largest gain reduction since it was read, dB.
    static var reduction: Int { @_noLocks @_noAllocation get { 1 } }
    /// 1 when a slot that was removed has become inaudible.
    static var gone: Int { @_noLocks @_noAllocation get { 2 } }
    /// Number of times that the effect was cleared because its output had left the range of plausible sound, and the number of these in
    /// which its samples were not finite.
    static var resets: Int { @_noLocks @_noAllocation get { 3 } }
    static var nonFinite: Int { @_noLocks @_noAllocation get { 4 } }
    static var count: Int { 5 }
}
