import Media

/// A recording that plays into feeds which no renderer has admitted yet.
package struct OpenedRecording: Sendable {
    let player: RecordingPlayer
    /// Number by which its feeds are admitted.
    let ticket: Int
}
