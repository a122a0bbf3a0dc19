import CRealtime
import Foundation
import Hub
import Parameters
import Session

/// Sessions as files: saved, loaded, compared.
extension SessionDesk {
    func connectFiles() {
        hub.onSet(slot(.save)) { [unowned self] _, message in
            guard message.arguments.allSatisfy({ $0.number != nil }) else {
                throw SessionRefusal("\(message.address) takes no name; \(SessionParameter.saveAs.address()) does")
            }
            guard let path = open.path else {
                throw SessionRefusal("the session has no name yet; \(SessionParameter.saveAs.address()) gives it one")
            }
            try save(path)
        }
        hub.onSet(slot(.saveAs)) { [unowned self] value, _ in
            let path = try shelf.path(value.text ?? "")
            try shelf.make()
            try save(path)
        }
        hub.onSet(slot(.load)) { [unowned self] value, _ in try load(path: shelf.path(value.text ?? "")) }
        hub.onSet(slot(.revert)) { [unowned self] _, _ in
            guard let path = open.path else {
                throw SessionRefusal("the session has no file to go back to; load one, or undo what was changed")
            }
            try load(path: path, title: "Revert session \(SessionShelf.name(path))")
        }
        hub.onSet(slot(.compare)) { [unowned self] value, _ in try compare(value.text ?? "") }
    }

    private func save(_ path: String) throws {
        let session = current
        try session.write(path)
        open.path = path
        open.saved = session
        history.close()
        shelf.use(path)
        publishFile()
        keeper?.move(to: path)
    }

    /// Takes a session whole or not at all: the file is checked and its recording opened before anything is set.
    func load(path: String, title: String? = nil) throws {
        let session = try SessionFile.read(path, hub.tree)
        let before = (open: open, scenes: scenes)
        try apply(session, name: path)
        open = OpenSession(path: path, saved: open.saved)
        open.fields = session.unknown
        open.addresses = session.snapshot.unknown
        open.saved = current
        var step = EditStep(title: title ?? "Load session \(SessionShelf.name(path))")
        step.session = .init(before: before.open, after: open)
        step.scenes = .init(before: before.scenes, after: scenes)
        if hub.markEdit() { doing = step }
        hub.isTouched = false
        shelf.use(path)
        publishFile()
        keeper?.move(to: path)
    }

    /// Sets everything as a session has it.
    /// - Parameter name: for messages.
    func apply(_ session: SessionFile, name: String) throws {
        try racks.check(session.snapshot.racks)
        if let recording = session.recording, recording != current.recording { try load(recording) }
        walk = nil
        for address in session.snapshot.unknown.keys.sorted() {
            hub.notice("session \(name): \(address) is not known here; it is kept")
        }
        let leavesTrackers = !knowsTrackers(session)
        for node in hub.tree.nodes where node.isInSessions && !(leavesTrackers && isOfTracker(node.address)) {
            let value = session.snapshot.value(node)
            // What is as it should be is not set again: that could make something be worked out anew.
            if hub.value(node.slot) != value { set(node.address, node.spec.arguments(value)) }
        }
        try racks.load(session.snapshot.racks)
        scenes = session.scenes
        publishScenes(current: "")
        endWalk()
    }

    /// A session that knows of no trackers leaves those alone that are worn now.
    private func knowsTrackers(_ session: SessionFile) -> Bool { session.snapshot.parameters.keys.contains(where: isOfTracker) }

    private func isOfTracker(_ address: String) -> Bool {
        (0..<hub.tree.trackers).contains { address.hasPrefix(TrackerParameter.container($0) + "/") }
    }

    /// Tells what loading a session would change; nothing is changed by it.
    private func compare(_ name: String) throws {
        let difference = slot(.difference)
        do {
            guard let path = name.isEmpty ? open.path : try shelf.path(name) else {
                throw SessionRefusal("the session has no file to be compared with")
            }
            var session = try SessionFile.read(path, hub.tree)
            let now = current
            if !knowsTrackers(session) {
                session.snapshot.parameters.merge(now.snapshot.parameters.filter { isOfTracker($0.key) }) { own, _ in own }
            }
            if session.recording == nil { session.recording = now.recording }
            let lines = SessionDifference.lines(from: now, to: session, hub.tree)
            let shown = lines.prefix(Self.mostLines) + (lines.count > Self.mostLines ? ["and \(lines.count - Self.mostLines) more"] : [])
            hub.publish(difference, .text(([name] + shown).joined(separator: "\n")))
        } catch {
            hub.publish(difference, .text("\(name)\n!\(error)"))
            throw error
        }
    }

    /// Of a difference that is told.
    private static let mostLines = 200

    // MARK: Telling

    func publishNames() { hub.publish(slot(.recent), .text(shelf.names.joined(separator: "\n"))) }

    func publishFile() {
        hub.publish(slot(.name), .text(open.path.map(SessionShelf.name) ?? ""))
        publishNames()
        publishChanged()
    }
}
