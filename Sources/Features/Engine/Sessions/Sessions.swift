import Hub
import Parameters
import Session

/// The session of the running engine: its file, scenes, undo history and autosave.
///
/// Used on the control thread only.
package final class Sessions {
    package let files: SessionFiles
    let scenes: SceneStore
    let undo: UndoHistory
    package let recovery: SessionRecovery

    /// - Parameters:
    ///   - folder: sessions that clients load and save by name.
    ///   - files: files that clients may name.
    ///   - load: loads a recording and publishes it.
    init(hub: Hub, racks: Racks, folder: SessionFolder, files messageFiles: MessageFiles, load: @escaping (String) throws -> Void) {
        let crossfader = SceneCrossfader(hub: hub)
        undo = UndoHistory(hub: hub, racks: racks, crossfader: crossfader, files: messageFiles)
        scenes = SceneStore(hub: hub, racks: racks, undo: undo, crossfader: crossfader, files: messageFiles)
        files = SessionFiles(hub: hub, racks: racks, scenes: scenes, undo: undo, folder: folder, files: messageFiles, load: load)
        recovery = SessionRecovery(hub: hub, files: files)
    }

    /// Connects the session's parameters with what they do.
    func connect() {
        files.connect()
        scenes.connect()
        undo.connect()
        undo.onScenes = { [unowned self] in scenes.replace($0) }
        undo.onSession = { [unowned self] in files.reopen($0) }
        files.onOpen = { [unowned self] in recovery.move(to: $0) }
        files.onChange = { [unowned self] in recovery.noteChange() }
    }

    /// Continues a crossfade and publishes changes, about thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        scenes.tick(now: now)
        undo.publishIfChanged()
        files.publishIfChanged(now: now)
        files.names.settle()
    }
}

/// A session that is to be loaded: its file is read, and then the listeners that it names are made, some in each tick.
final class SessionWork: PendingWork {
    private let work: FileWork
    private let path: String
    private let isReady: (Snapshot) -> Bool

    /// - Parameter isReady: makes some of the listeners of a session, and returns whether all are there.
    init(_ work: FileWork, _ path: String, isReady: @escaping (Snapshot) -> Bool) {
        (self.work, self.path, self.isReady) = (work, path, isReady)
    }

    var isDone: Bool {
        guard let files = work.product else { return false }
        guard case .success(.session(let session)) = files.results[.loadedSession(path)] else { return true }
        return isReady(session.snapshot)
    }

    var limit: UInt64 { work.limit }

    func use(_ handler: () -> Void) { work.use(handler) }

    func giveUp() { work.giveUp() }
}
