import Hub
import Parameters
import Rack
import Session

/// Undo and redo of the next step.
extension UndoHistory {
    func undo() throws {
        guard let step = history.nextUndo else { throw RequestError("there is nothing to undo") }
        try begin(.undoing)
        apply(step.settings.map { ($0.address, $0.spec, $0.before) }, racks: step.racks.mapValues(\.before))
        if let scenes = step.scenes { onScenes(scenes.before) }
        if let session = step.session { onSession(session.before) }
    }

    func redo() throws {
        guard let step = history.nextRedo else { throw RequestError("there is nothing to redo") }
        try begin(.redoing)
        apply(step.settings.map { ($0.address, $0.spec, $0.after) }, racks: step.racks.mapValues(\.after))
        if let scenes = step.scenes { onScenes(scenes.after) }
        if let session = step.session { onSession(session.after) }
    }

    /// The files that a step needs.
    func requests(
        _ step: EditStep?, _ value: KeyPath<EditStep.Setting, ParameterValue>,
        racks rack: KeyPath<EditStep.Change<RackDescription>, RackDescription>
    ) -> [FileRequest] {
        guard let step else { return [] }
        let settings = step.settings.compactMap { setting in
            setting[keyPath: value].text.flatMap { FileRequest.setting(setting.address, $0, hub.tree) }
        }
        return settings + step.racks.values.flatMap { FileRequest.responses($0[keyPath: rack]) }
    }

    /// A pattern may match both undo and redo; only one of them can be done at a time.
    private func begin(_ direction: Mode) throws {
        // Marked even when no value changes, so that the step is recorded.
        guard mode == .editing, noted == nil, hub.markEdit() else {
            throw RequestError("undo and redo take one step at a time, in separate messages")
        }
        mode = direction
    }

    private func apply(_ settings: [(address: String, spec: ParameterSpec, value: ParameterValue)], racks wanted: [String: RackDescription])
    {
        // A crossfade would move parameters away from the values that this step sets.
        let wasRunning = crossfader.isRunning
        stopped = []
        for setting in settings where crossfader.release(setting.address) { stopped.insert(setting.address) }
        for name in wanted.keys where crossfader.release(below: "/rack/\(name)/") { stopped.insert(name) }
        if wasRunning { crossfader.finishIfEmpty() }
        do { try racks.restore(wanted) } catch { hub.notice("\(error)") }
        hub.clearOutputs(settings)
        let objects = ObjectSounds.list.address()
        for (address, spec, value) in settings where address == objects { hub.set(address, to: spec.arguments(value)) }
        // Objects that this step removes have no parameters any more.
        for (address, spec, value) in settings where address != objects && !hub.tree.isOfAbsentObject(address) {
            hub.set(address, to: spec.arguments(value))
        }
    }
}
