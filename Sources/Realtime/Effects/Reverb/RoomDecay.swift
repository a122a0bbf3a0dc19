/// Decay of a room, as ``Reverb`` has smoothed it, for one block.
struct RoomDecay: BitwiseCopyable {
    /// Time in which middle frequencies decay by 60 dB, seconds.
    let seconds: Float
    /// Decay times of low and high frequencies relative to that of middle ones.
    let bass: Float
    let treble: Float

    @_noLocks @_noAllocation
    init(seconds: Float, bass: Float, treble: Float) {
        self.seconds = seconds
        self.bass = bass
        self.treble = treble
    }
}
