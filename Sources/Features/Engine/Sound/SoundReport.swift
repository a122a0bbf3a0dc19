/// Whether the sound of the engine is plausible.
package struct SoundReport: Sendable, Equatable {
    /// Seconds over which ``recentResets`` are counted.
    package static let window = 10

    /// Listeners, counted from 1, that have been silent for a second although sound plays and their gain is up.
    package var silentListeners: [Int] = []
    /// Number of times since the start that sound left its range and the renderer cleared the state that produced it.
    package var resets = 0
    package var recentResets = 0
    /// Number of ``resets`` because of infinite samples or NaN.
    package var nonFinite = 0
    /// Whether rendering has taken longer than the sound lasts for some seconds.
    package var isOverloaded = false
    /// Latest notice of a reset; empty without any.
    package var latest = ""

    package var isPlausible: Bool { silentListeners.isEmpty && recentResets == 0 }
}
