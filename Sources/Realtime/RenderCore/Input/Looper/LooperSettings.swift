/// Settings of the looper for one block.
package struct LooperSettings: BitwiseCopyable, Sendable {
    /// Level of the loop, a factor.
    package var level: Float
    package var isHalfSpeed: Bool
    /// Frame of the block at which a command that waits is carried out; nil when the block has none. It is 0 without quantisation.
    package var gate: Int?
    /// Length in frames of which loops are whole multiples; 0 for any length.
    package var unit: Double

    @_noLocks @_noAllocation
    package init(level: Float = 1, isHalfSpeed: Bool = false, gate: Int? = 0, unit: Double = 0) {
        self.level = level
        self.isHalfSpeed = isHalfSpeed
        self.gate = gate
        self.unit = unit
    }
}
