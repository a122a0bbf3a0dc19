import CRealtime
import Foundation
import Hub
import Parameters
import Rack
import Session

/// The session of the running engine: its file, scenes, the way back, and what outlives a crash.
///
/// Made and used on the control thread.
final class SessionDesk {
    let hub: Hub
    let racks: RackDesk
    let shelf: SessionShelf
    var open: OpenSession
    var scenes: [Scene] = []
    var history = EditHistory<Edit.Origin>()
    var walk: SceneWalk?
    /// What an undo has stopped on its way: addresses, and names of racks.
    var stopped: Set<String> = []
    /// What the message that is handled now does, where its parameter alone does not say so.
    var doing: EditStep?
    /// Of racks that the message that is handled now has changed, what stood in them.
    var formerRacks: [String: RackDescription] = [:]
    var mode = Mode.editing
    /// Whether this run goes on with what another one has left.
    var isRecovered = false
    var keeper: AutosaveKeeper?
    /// Loads a recording and tells everybody.
    var load: (String) throws -> Void = { _ in }
    private var looked: UInt64 = 0
    /// Whether what would be taken back may be another step now.
    var isNews = true

    enum Mode { case editing, undoing, redoing }

    /// Nanoseconds between two looks for differences.
    private static let patience: UInt64 = 500_000_000

    init(hub: Hub, racks: RackDesk, shelf: SessionShelf) {
        (self.hub, self.racks, self.shelf) = (hub, racks, shelf)
        open = OpenSession(path: nil, saved: SessionFile(recording: nil, snapshot: Snapshot()))
    }

    func slot(_ parameter: SessionParameter) -> Int { hub.tree.slot(parameter) }

    /// Makes the session's parameters do what they say.
    func connect() {
        connectFiles()
        connectScenes()
        hub.onSet(slot(.undo)) { [unowned self] _, _ in try undo() }
        hub.onSet(slot(.redo)) { [unowned self] _, _ in try redo() }
        racks.onEdit = { [unowned self] name, before in
            guard hub.markEdit(), formerRacks[name] == nil else { return }
            formerRacks[name] = before
        }
        hub.onEdit = { [unowned self] in take($0) }
        publishNames()
    }

    /// How everything is set now.
    var current: SessionFile {
        let recording = hub.value(slot(.recording)).text ?? ""
        var session = SessionFile(
            // Read again, it is taken as relative to the file.
            recording: recording.isEmpty ? nil : URL(filePath: recording).standardizedFileURL.path,
            snapshot: Snapshot(hub.tree, value: hub.value, racks: racks.racks))
        session.snapshot.unknown = open.addresses
        session.scenes = scenes
        session.unknown = open.fields
        return session
    }

    /// From now on there is something that can change: what is set is what the session begins with.
    func begin() {
        open.saved = current
        hub.isTouched = false
        publishFile()
    }

    /// Some thirty times a second: walks on, and tells what has changed.
    func tick(now: UInt64) {
        step(now: now)
        if isNews { publishWords() }
        guard hub.isTouched, !isChanged || now - looked >= Self.patience else { return }
        (hub.isTouched, looked) = (false, now)
        publishChanged()
        keeper?.isOwing = true
    }

    func publishWords() {
        isNews = false
        hub.publish(slot(.undoWords), .text(history.nextUndo?.words ?? ""))
        hub.publish(slot(.redoWords), .text(history.nextRedo?.words ?? ""))
    }

    var isChanged: Bool { hub.value(slot(.changed)) == .number(1) }

    func publishChanged() {
        hub.publish(slot(.changed), .number(current == open.saved ? 0 : 1))
    }
}
