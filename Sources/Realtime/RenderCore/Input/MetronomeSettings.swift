/// Settings of the metronome for one block.
package struct MetronomeSettings: BitwiseCopyable, Sendable {
    package var isRunning: Bool
    /// Beats per bar.
    package var beats: Int
    /// Clicks per beat.
    package var parts: Int
    /// Level of a beat, a factor.
    package var gain: Float
    /// Beats per minute.
    package var tempo: Float

    @_noLocks @_noAllocation
    package init(isRunning: Bool = false, beats: Int = 4, parts: Int = 1, gain: Float = 1, tempo: Float = 120) {
        self.isRunning = isRunning
        self.beats = beats
        self.parts = parts
        self.gain = gain
        self.tempo = tempo
    }
}
