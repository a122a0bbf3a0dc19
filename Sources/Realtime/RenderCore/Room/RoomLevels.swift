/// Levels of a room beside the direct sound, factors.
package struct RoomLevels: BitwiseCopyable, Sendable {
    /// Level of the reflections that have a direction each.
    package var early: Float
    /// Level of the late field.
    package var late: Float

    @_noLocks @_noAllocation
    package init(early: Float = 1, late: Float = 1) {
        self.early = early
        self.late = late
    }
}
