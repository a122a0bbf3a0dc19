import CRealtime
import Effects
import Files
import Foundation
package import Hub
import Parameters
import Rack
package import Session

/// Sessions as files: saves, loads and reverts them, and reports whether anything has changed since.
package final class SessionFiles {
    let hub: Hub
    private let racks: Racks
    private let scenes: SceneStore
    private let undo: UndoHistory
    package let folder: SessionFolder
    let files: MessageFiles
    let names: SessionNames
    private let load: (String) throws -> Void
    package private(set) var open = OpenSession(path: nil, saved: SessionFile(recording: nil, snapshot: Snapshot()))
    /// Called with the path of the session after loading or saving, when there are no unsaved changes.
    var onOpen: (String) -> Void = { _ in }
    /// Called when everything was set to the values of a session.
    var onApply: () -> Void = {}
    /// Called with the state of a session before it is set, to add the listeners that it names.
    var onListeners: (Snapshot) -> Void = { _ in }
    /// Called before ``onListeners``, once per tick until it returns true, to make some of these listeners.
    var isReady: (Snapshot) -> Bool = { _ in true }
    /// Called with the state of a session before it is set, to add the objects that it has and remove others.
    var onObjects: (Snapshot) -> Void = { _ in }
    /// Whether sessions keep a parameter; they keep none of a listener without a name.
    var isKept: (ParameterTree.Node) -> Bool = { _ in true }
    /// Called when something that sessions keep may have changed.
    var onChange: () -> Void = {}
    /// Time at which the session was compared with its file last, CLOCK_MONOTONIC nanoseconds.
    private var lastComparison: UInt64 = 0

    /// Nanoseconds between two comparisons with the file.
    private static let comparisonInterval: UInt64 = 500_000_000

    init(
        hub: Hub, racks: Racks, scenes: SceneStore, undo: UndoHistory, folder: SessionFolder,
        files: MessageFiles, load: @escaping (String) throws -> Void
    ) {
        self.hub = hub
        self.racks = racks
        self.scenes = scenes
        self.undo = undo
        self.folder = folder
        self.files = files
        names = SessionNames(hub: hub, folder: folder) { [unowned files] in files.isInBackground }
        self.load = load
    }

    func index(_ parameter: SessionParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        connectWriting()
        hub.onNeed(index(.load)) { [unowned self] value, _ in try read(path(value.text ?? "")) }
        hub.onNeed(index(.revert)) { [unowned self] _, _ in try open.path.flatMap { try read($0) } }
        hub.onNeed(index(.compare)) { [unowned self] value, _ in
            // The handler informs the client when there is no such session.
            try files.read(((try? comparedPath(value.text ?? "")) ?? nil).map { [.session($0)] } ?? [])
        }
        hub.onSet(index(.load)) { [unowned self] value, message in
            try load(path: path(value.text ?? ""), from: message.client)
        }
        hub.onSet(index(.revert)) { [unowned self] _, _ in
            guard let path = open.path else { return try revertUnnamed() }
            try load(path: path, title: "Revert session \(SessionFolder.name(path))")
        }
        hub.onSet(index(.compare)) { [unowned self] value, _ in try compare(value.text ?? "") }
        names.look()
    }

    /// Starts to read a session that is to be loaded.
    private func read(_ path: String) throws -> (any PendingWork)? {
        guard let work = try files.read([.loadedSession(path)]) as? FileWork else { return nil }
        return SessionWork(work, path) { [unowned self] in isReady($0) }
    }

    /// Restores the state that a session without a name began with.
    private func revertUnnamed() throws {
        let (before, scenesBefore, saved) = (open, scenes.scenes, open.saved)
        let refused = try apply(saved, name: "without a name")
        keepUnknown(saved, refused)
        open.saved = current
        var step = EditStep(title: "Revert session")
        step.session = .init(before: before, after: open)
        step.scenes = .init(before: scenesBefore, after: scenes.scenes)
        undo.note(step)
        publish()
        onChange()
    }

    /// Path of the session that a client names.
    func path(_ name: String) throws -> String {
        let path = try folder.path(name)
        try files.clients.check(path, .sessions)
        return path
    }

    /// The current state as a session.
    var current: SessionFile {
        let recording = hub.value(index(.recording)).text ?? ""
        var session = SessionFile(
            // Absolute: a relative path would be taken as relative to the session's file.
            recording: open.kept.flatMap { $0.beside == recording ? $0.path : nil }
                ?? (recording.isEmpty ? nil : URL(filePath: recording).standardizedFileURL.path),
            snapshot: Snapshot(hub.tree, value: hub.value, racks: racks.descriptions) { [isKept] in $0.isInSessions && isKept($0) })
        session.snapshot.unknown = open.addresses
        // A text that could not be restored stays in the file until it is replaced.
        for address in open.addresses.keys where session.snapshot.parameters[address] == [.string("")] {
            session.snapshot.parameters[address] = nil
        }
        let count = max(hub.tree.wired, open.listeners)
        session.listeners = count > 1 ? count : nil
        session.snapshot.add(open.absent)
        session.scenes = scenes.scenes
        session.unknown = open.fields
        return session
    }

    /// Makes the current state the beginning of an unnamed session: later changes count as unsaved.
    package func begin() {
        open.saved = current
        hub.isTouched = false
        publish()
    }

    // MARK: Saving and loading

    /// Makes the file in which the session was saved the file of the open session.
    func keep(_ session: SessionFile, at path: String) {
        open.path = path
        open.saved = session
        undo.close()
        publish()
        onOpen(path)
    }

    /// Loads a session as a whole or not at all: the file is checked and its recording opened before anything is set.
    ///
    /// - Parameters:
    ///   - title: of the step in the undo history; nil for the usual one.
    ///   - recording: instead of the one that it names.
    ///   - isTrusted: whether clients may use every file that it names, because the command line names it.
    package func load(
        path: String, title: String? = nil, recording: String? = nil, isTrusted: Bool = false, from client: NetworkAddress? = nil
    ) throws {
        var session = try files.session(path, isLoaded: true)
        if let recording { session.recording = recording }
        if isTrusted { files.clients.grant(session) }
        let (openBefore, scenesBefore) = (open, scenes.scenes)
        let refused = try apply(session, name: path, from: client)
        open = OpenSession(path: path, saved: open.saved)
        keepUnknown(session, refused)
        open.saved = current
        var step = EditStep(title: title ?? "Load session \(SessionFolder.name(path))")
        step.session = .init(before: openBefore, after: open)
        step.scenes = .init(before: scenesBefore, after: scenes.scenes)
        undo.note(step)
        hub.isTouched = false
        names.use(path)
        publish()
        onOpen(path)
    }

    /// Applies the unsaved changes of an earlier run.
    /// - Parameters:
    ///   - session: as it was saved automatically, at `autosave`.
    ///   - path: of the session's file; nil for one without a name.
    func recover(_ session: SessionFile, from autosave: String, of path: String?) throws {
        files.clients.grant(session)
        if let path, open.path == nil { try load(path: path, isTrusted: true) }
        keepUnknown(session, try apply(session, name: autosave))
        publish()
        hub.isTouched = true
    }

    /// Keeps fields unknown to this version, so that they are written again.
    private func keepUnknown(_ session: SessionFile, _ refused: Refused) {
        open.fields = session.unknown
        open.addresses = session.snapshot.unknown.merging(refused.texts) { known, _ in known }
        open.kept = refused.recording
        (open.absent, open.listeners) = (refused.listeners, session.deviceListeners)
    }

    /// The parts of a session that name files that are missing, or that clients may not use, or listeners that this engine does not have.
    private struct Refused {
        var recording: OpenSession.Kept?
        /// By address.
        var texts: [String: JSON] = [:]
        var listeners = Snapshot()
    }

    /// Sets everything to the values of a session.
    /// - Parameters:
    ///   - name: for messages.
    ///   - client: client that has asked for it; nil for the program itself.
    /// - Returns: what could not be used, and stays in the session.
    private func apply(_ session: SessionFile, name: String, from client: NetworkAddress? = nil) throws -> Refused {
        var refused = Refused()
        var session = files.clients.admitted(session) { hub.notice("session \(name): \($0)", from: client) }
        let (count, wired) = (session.deviceListeners, hub.tree.wired)
        refused.listeners = session.takeListeners(beyond: wired)
        if count > wired {
            let those = count == wired + 1 ? "listener \(count) is" : "listeners \(wired + 1) to \(count) are"
            hub.notice(
                "session \(name) has \(count) listeners, and the program \(wired): the settings of \(those) kept in the session; start "
                    + "the program with the session, or with --listeners \(count), to play \(count == wired + 1 ? "it" : "them")",
                from: client)
        }
        try racks.check(session.snapshot.racks)
        let before = hub.value(index(.recording)).text ?? ""
        if let recording = session.recording, recording != before {
            do throws(RequestError) { try files.clients.check(recording, .recordings) } catch {
                refused.recording = .init(path: recording, beside: before)
                hub.notice(
                    "session \(name): recording \(error); the current recording stays loaded, and the session keeps the path", from: client)
            }
            if refused.recording == nil { try load(recording) }
        }
        scenes.stopCrossfade()
        for address in session.snapshot.unknown.keys.sorted() {
            hub.notice("session \(name): \(address) is not known to this version; it is kept", from: client)
        }
        onListeners(session.snapshot)
        onObjects(session.snapshot)
        let isUntouched = hub.tree.partsLeftOut(of: session)
        let nodes = hub.tree.nodes.filter { $0.isInSessions && isKept($0) && !isUntouched($0) }
        hub.clearOutputs(nodes.map { ($0.address, $0.spec, session.snapshot.value($0)) })
        for node in nodes {
            if hub.tree.objects > 0, node.index == hub.tree.index(ObjectSounds.list) { continue }
            let value = session.snapshot.value(node)
            // Equal values are not set again: handlers could start expensive work for them.
            guard hub.value(node.index) != value else { continue }
            let reply = hub.set(node.address, to: node.spec.arguments(value))
            guard case .refused = reply, case .text(let text) = value else { continue }
            guard !WrittenAddress.hasSecret(text) else {
                hub.notice(
                    "session \(name): the address of \(node.address) is left out, since it has a login or a token in it, which the file "
                        + "still holds; save the session to remove it there",
                    from: client)
                _ = hub.set(node.address, to: node.spec.arguments(node.spec.initial))
                continue
            }
            // The name of a file that cannot be used; its handler has reported the reason.
            refused.texts[node.address] = .text(text)
        }
        try racks.load(session.snapshot.racks)
        scenes.replace(session.scenes, current: "")
        scenes.finishCrossfade()
        onApply()
        return refused
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

    private func publish() {
        hub.publish(index(.name), .text(open.path.map(SessionFolder.name) ?? ""))
        publishChanged()
    }
}
