import Hub
import Parameters
import Rack
import Session

/// The changes that clients have made, undone and redone step by step.
final class UndoHistory {
    let hub: Hub
    let racks: Racks
    let crossfader: SceneCrossfader
    let files: MessageFiles
    var history = EditHistory<Edit.Origin>()
    /// The direction of the message that is handled now.
    var mode = Mode.editing
    /// The step of the message that is handled now, where its parameter alone does not describe it.
    private(set) var noted: EditStep?
    /// Racks that the message that is handled now has changed, as they were before.
    private var formerRacks: [String: RackDescription] = [:]
    /// Addresses, and names of racks, whose crossfade the current undo has stopped.
    var stopped: Set<String> = []
    private var needsPublishing = true
    /// Called when an undo or redo leads to other scenes.
    var onScenes: ([Scene]) -> Void = { _ in }
    /// Called when an undo or redo leads to another session.
    var onSession: (OpenSession) -> Void = { _ in }

    enum Mode { case editing, undoing, redoing }

    init(hub: Hub, racks: Racks, crossfader: SceneCrossfader, files: MessageFiles) {
        self.hub = hub
        self.racks = racks
        self.crossfader = crossfader
        self.files = files
    }

    func connect() {
        hub.onNeed(hub.tree.index(SessionParameter.undo), isReplaced: false) { [unowned self] _, _ in
            try files.read(requests(history.nextUndo, \.before, racks: \.before))
        }
        hub.onNeed(hub.tree.index(SessionParameter.redo), isReplaced: false) { [unowned self] _, _ in
            try files.read(requests(history.nextRedo, \.after, racks: \.after))
        }
        hub.onSet(hub.tree.index(SessionParameter.undo)) { [unowned self] _, _ in try undo() }
        hub.onSet(hub.tree.index(SessionParameter.redo)) { [unowned self] _, _ in try redo() }
        hub.onSet(hub.tree.index(SessionParameter.gesture)) { [unowned self] value, message in
            guard let client = hub.client else { return }
            if value == .number(1) { history.begin(client, time: message.receiveTime) } else { history.end(client) }
        }
        hub.onLeave = { [unowned self] in history.end($0) }
        racks.onEdit = { [unowned self] name, before in
            guard hub.markEdit(), formerRacks[name] == nil else { return }
            formerRacks[name] = before
        }
        hub.onEdit = { [unowned self] in record($0) }
    }

    /// Notes what the message that is handled now does. Ignored when no client's message is being handled.
    func note(_ step: EditStep) { if hub.markEdit() { noted = step } }

    /// Makes the next change begin a new step.
    func close() { history.close() }

    // MARK: Recording

    /// Records what a client's message has changed.
    private func record(_ edit: Edit) {
        needsPublishing = true
        if continuesGesture(edit) { return }
        let step = step(edit)
        let message = edit.message
        switch mode {
        case .editing:
            history.record(
                step, from: edit.origin, target: message.address, packet: message.receiveTime, time: message.receiveTime)
        case .undoing:
            // A redo sets parameters that were in a crossfade to the crossfade's end.
            var undone = step
            undone.settings.removeAll { stopped.contains($0.address) }
            undone.racks = step.racks.filter { !stopped.contains($0.key) }
            history.didUndo(undone)
        case .redoing: history.didRedo(step, from: edit.origin, time: message.receiveTime)
        }
        // While a control is dragged, thirty times a second are enough; see `publishIfChanged`.
        if mode != .editing || !step.isGesture { publish() }
        mode = .editing
    }

    /// Takes the fast path for most messages, which continue a gesture and do nothing else.
    private func continuesGesture(_ edit: Edit) -> Bool {
        guard mode == .editing, noted == nil, formerRacks.isEmpty, !crossfader.isRunning, edit.changes.count == 1,
            edit.changes[0].address == edit.message.address
        else { return false }
        let (change, time) = (edit.changes[0], edit.message.receiveTime)
        return history.continueGesture(change.address, to: change.after, from: edit.origin, packet: time, time: time)
    }

    /// The step that a message has made.
    private func step(_ edit: Edit) -> EditStep {
        var step = noted ?? EditStep()
        noted = nil
        for (name, before) in formerRacks where step.racks[name] == nil {
            step.racks[name] = .init(before: before, after: racks.descriptions[name] ?? .init())
        }
        formerRacks = [:]
        // A rack that was exchanged contains its settings.
        let exchanged = step.racks.keys.map { "/rack/\($0)/" }
        func isIncluded(_ address: String) -> Bool {
            exchanged.contains { address.hasPrefix($0) } || step.settings.contains { $0.address == address }
        }
        for change in edit.changes {
            if mode == .editing { crossfader.release(change.address) }
            let node = hub.tree.nodes[change.index]
            guard !isIncluded(change.address), node.address == change.address || isOfAbsentObject(change) else { continue }
            step.settings.append(.init(address: change.address, spec: node.spec, before: change.before, after: change.after))
        }
        step.settings.removeAll { setting in exchanged.contains { setting.address.hasPrefix($0) } }
        if step.title == nil, !step.racks.isEmpty { step.title = title(edit.message, step.racks) }
        return step
    }

    /// Whether a change was that of an object which the message has removed.
    private func isOfAbsentObject(_ change: Edit.Change) -> Bool {
        hub.tree.isOfAbsentObject(change.address) && hub.tree.declaredIndex(at: change.address) == change.index
    }

    /// The title of a message's step: "Add effect: delay, rack recording", "Move Gate, rack recording".
    private func title(_ message: Message, _ racks: [String: EditStep.Change<RackDescription>]) -> String? {
        guard let index = hub.tree.index(at: message.address) else { return nil }
        let place = message.address.split(separator: "/").dropLast().joined(separator: " ")
        if hub.tree.isRackLayout(hub.tree.nodes[index]), racks.count == 1, let change = racks.first?.value {
            return "\(RackMove(before: change.before, after: change.after).words), \(place)"
        }
        let arguments = message.arguments.map { argument in
            if case .string(let text) = argument { return text }
            return argument.number.map { ParameterSpec.plainWords($0) } ?? ""
        }
        let values = arguments.isEmpty ? "" : ": " + arguments.joined(separator: " ")
        return "\(hub.tree.nodes[index].spec.title)\(values), \(place)"
    }

    // MARK: Publishing

    func publishIfChanged() { if needsPublishing { publish() } }

    private func publish() {
        needsPublishing = false
        hub.publish(hub.tree.index(SessionParameter.undoWords), .text(history.nextUndo?.words ?? ""))
        hub.publish(hub.tree.index(SessionParameter.redoWords), .text(history.nextRedo?.words ?? ""))
    }
}
