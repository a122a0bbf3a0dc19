import Hub

/// The controllers inside the engine: mapped MIDI controllers and the cue list.
package struct ControllerParts {
    package let midi: MIDIControl
    package let cueList: CueList

    /// - Parameter sessions: undoes their changes, and crossfades the scenes that cues recall.
    func connect(_ sessions: Sessions) {
        midi.connect()
        midi.note = { [sessions] in sessions.undo.note($0) }
        cueList.connect()
        cueList.note = { [sessions] in sessions.undo.note($0) }
        cueList.actions.isCrossfading = { [sessions] in sessions.scenes.isCrossfading }
        cueList.actions.haltCrossfade = { [sessions] in sessions.scenes.finishCrossfade() }
        sessions.files.onApply = { [unowned cueList] in cueList.rewind() }
    }
}
