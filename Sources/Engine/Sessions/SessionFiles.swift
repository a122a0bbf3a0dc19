import CRealtime
import Foundation
import Hub
import Parameters
package import Session

/// Sessions as files: saves, loads and reverts them, and tells whether anything has changed since.
package final class SessionFiles {
    let hub: Hub
    private let racks: Racks
    private let scenes: SceneStore
    private let undo: UndoHistory
    let folder: SessionFolder
    private let load: (String) throws -> Void
    package private(set) var open = OpenSession(path: nil, saved: SessionFile(recording: nil, snapshot: Snapshot()))
    /// Called with the path of the session when it was loaded or saved, so that nothing unsaved is left.
    var onOpen: (String) -> Void = { _ in }
    /// Called when something that sessions keep may have changed.
    var onChange: () -> Void = {}
    /// When the session was compared with its file last, CLOCK_MONOTONIC nanoseconds.
    private var lastComparison: UInt64 = 0

    /// Nanoseconds between two comparisons with the file.
    private static let comparisonInterval: UInt64 = 500_000_000

    init(
        hub: Hub, racks: Racks, scenes: SceneStore, undo: UndoHistory, folder: SessionFolder,
        load: @escaping (String) throws -> Void
    ) {
        self.hub = hub
        self.racks = racks
        self.scenes = scenes
        self.undo = undo
        self.folder = folder
        self.load = load
    }

    func index(_ parameter: SessionParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.save)) { [unowned self] _, message in
            let saveAs = SessionParameter.saveAs.address()
            guard message.arguments.allSatisfy({ $0.number != nil }) else {
                throw RequestError("\(message.address) takes no name; use \(saveAs)")
            }
            guard let path = open.path else { throw RequestError("the session has no name yet; name it with \(saveAs)") }
            try save(path)
        }
        hub.onSet(index(.saveAs)) { [unowned self] value, _ in
            let path = try folder.path(value.text ?? "")
            try folder.make()
            try save(path)
        }
        hub.onSet(index(.load)) { [unowned self] value, _ in try load(path: folder.path(value.text ?? "")) }
        hub.onSet(index(.revert)) { [unowned self] _, _ in
            guard let path = open.path else {
                throw RequestError("the session has no file to revert to; load one, or undo the changes")
            }
            try load(path: path, title: "Revert session \(SessionFolder.name(path))")
        }
        hub.onSet(index(.compare)) { [unowned self] value, _ in try compare(value.text ?? "") }
        publishNames()
    }

    /// The present state as a session.
    var current: SessionFile {
        let recording = hub.value(index(.recording)).text ?? ""
        var session = SessionFile(
            // Absolute: a relative path would be taken as relative to the session's file.
            recording: recording.isEmpty ? nil : URL(filePath: recording).standardizedFileURL.path,
            snapshot: Snapshot(hub.tree, value: hub.value, racks: racks.descriptions))
        session.snapshot.unknown = open.addresses
        session.scenes = scenes.scenes
        session.unknown = open.fields
        return session
    }

    /// Makes the present state what an unnamed session begins with: later changes count as unsaved.
    package func begin() {
        open.saved = current
        hub.isTouched = false
        publish()
    }

    // MARK: Saving and loading

    private func save(_ path: String) throws {
        let session = current
        try session.write(path)
        open.path = path
        open.saved = session
        undo.close()
        folder.use(path)
        publish()
        onOpen(path)
    }

    /// Loads a session as a whole or not at all: the file is checked and its recording opened before anything is set.
    /// - Parameter title: of the step in the undo history; nil for the usual one.
    package func load(path: String, title: String? = nil) throws {
        let session = try SessionFile.read(path, hub.tree)
        let (openBefore, scenesBefore) = (open, scenes.scenes)
        try apply(session, name: path)
        open = OpenSession(path: path, saved: open.saved)
        keepUnknown(session)
        open.saved = current
        var step = EditStep(title: title ?? "Load session \(SessionFolder.name(path))")
        step.session = .init(before: openBefore, after: open)
        step.scenes = .init(before: scenesBefore, after: scenes.scenes)
        undo.note(step)
        hub.isTouched = false
        folder.use(path)
        publish()
        onOpen(path)
    }

    /// Applies the unsaved changes of an earlier run.
    /// - Parameters:
    ///   - session: as it was saved automatically, at `autosave`.
    ///   - path: of the session's file; nil for one without a name.
    func recover(_ session: SessionFile, from autosave: String, of path: String?) throws {
        if let path, open.path == nil { try load(path: path) }
        try apply(session, name: autosave)
        keepUnknown(session)
        publish()
        hub.isTouched = true
    }

    /// Keeps what this version does not know, so that it is written again.
    private func keepUnknown(_ session: SessionFile) {
        open.fields = session.unknown
        open.addresses = session.snapshot.unknown
    }

    /// Sets everything to the values of a session.
    /// - Parameter name: for messages.
    private func apply(_ session: SessionFile, name: String) throws {
        try racks.check(session.snapshot.racks)
        if let recording = session.recording, recording != current.recording { try load(recording) }
        scenes.stopCrossfade()
        for address in session.snapshot.unknown.keys.sorted() {
            hub.notice("session \(name): \(address) is not known to this version; it is kept")
        }
        let keepsTrackers = !hub.tree.namesTrackers(session)
        for node in hub.tree.nodes where node.isInSessions && !(keepsTrackers && hub.tree.isOfTracker(node.address)) {
            let value = session.snapshot.value(node)
            // Equal values are not set again: handlers could start expensive work for them.
            if hub.value(node.index) != value { hub.set(node.address, to: node.spec.arguments(value)) }
        }
        try racks.load(session.snapshot.racks)
        scenes.replace(session.scenes, current: "")
        scenes.finishCrossfade()
    }

    /// Opens the session that an undo or redo leads to.
    func reopen(_ session: OpenSession) {
        open = session
        publish()
    }

    // MARK: Publishing

    package var isChanged: Bool { hub.value(index(.changed)) == .number(1) }

    /// Compares the session with its file, if something was set.
    func publishIfChanged(now: UInt64) {
        guard hub.isTouched, !isChanged || now - lastComparison >= Self.comparisonInterval else { return }
        (hub.isTouched, lastComparison) = (false, now)
        publishChanged()
        onChange()
    }

    func publishChanged() { hub.publish(index(.changed), .number(current == open.saved ? 0 : 1)) }

    func publishNames() { hub.publish(index(.recent), .text(folder.names.joined(separator: "\n"))) }

    private func publish() {
        hub.publish(index(.name), .text(open.path.map(SessionFolder.name) ?? ""))
        publishNames()
        publishChanged()
    }
}
