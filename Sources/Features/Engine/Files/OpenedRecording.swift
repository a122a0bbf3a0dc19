import Media

/// An opened recording whose feeds the renderer has not admitted yet.
package struct OpenedRecording: Sendable {
    let player: RecordingPlayer
    /// Number by which its feeds are admitted.
    let ticket: Int
}
