import Effects
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

/// The words for a change of a rack's layout: which effects were removed, or which one was moved.
struct RackMove {
    private typealias Places = [[[Int]]]

    let before: RackDescription
    let after: RackDescription

    /// "Remove Gate", "Move Gate", or "Rearrange effects" when more than one was moved.
    var words: String {
        let kept = Set(after.slots.compactMap(\.number))
        let removed = before.slots.filter { $0.number.map { !kept.contains($0) } ?? false }
        if !removed.isEmpty { return "Remove " + removed.map(Self.name).joined(separator: ", ") }
        let (old, new) = (Self.places(before), Self.places(after))
        let moved = after.slots.first { slot in
            slot.number.map { Self.without($0, old) == Self.without($0, new) } ?? false
        }
        return moved.map { "Move \(Self.name($0))" } ?? "Rearrange effects"
    }

    /// The name of an effect as the panel shows it.
    private static func name(_ slot: RackDescription.Slot) -> String {
        let words = slot.kind.name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Numbers of the slots by place, row and column.
    private static func places(_ rack: RackDescription) -> Places {
        rack.places.map { place in
            switch place {
            case .slot(let slot): [[slot.number].compactMap { $0 }]
            case .branches(let rows, _): rows.map { $0.compactMap(\.number) }
            }
        }
    }

    /// The places without a slot; empty rows are removed, and a single remaining row is no longer parallel.
    private static func without(_ number: Int, _ places: Places) -> Places {
        places.flatMap { rows -> Places in
            let rest = rows.map { $0.filter { $0 != number } }
            let filled = zip(rows, rest).filter { row, left in row.isEmpty || !left.isEmpty }.map(\.1)
            return filled.count > 1 ? [filled] : (filled.first ?? []).map { [[$0]] }
        }
    }
}

extension ParameterTree {
    /// Whether an address such as `/object/9/gain` belongs to an object that may exist but does not.
    func isOfAbsentObject(_ address: String) -> Bool {
        let parts = address.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count > 2, parts[0] == "object", let number = Int(parts[1]), isObjectPresent.indices.contains(number - 1) else {
            return false
        }
        return !isObjectPresent[number - 1]
    }
}
