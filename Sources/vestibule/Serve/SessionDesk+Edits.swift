import CRealtime
import Hub
import Parameters
import Rack
import Session

/// The way back: what clients have changed, taken back and made again.
extension SessionDesk {
    /// Takes in what a client's message has changed.
    func take(_ edit: Edit) {
        isNews = true
        if goesOn(edit) { return }
        var step = doing ?? EditStep()
        doing = nil
        for (name, before) in formerRacks where step.racks[name] == nil {
            step.racks[name] = .init(before: before, after: racks.racks[name] ?? .init())
        }
        formerRacks = [:]
        // Settings of a rack that was exchanged are told by the rack.
        let exchanged = step.racks.keys.map { "/rack/\($0)/" }
        func isTold(_ address: String) -> Bool {
            exchanged.contains { address.hasPrefix($0) } || step.settings.contains { $0.address == address }
        }
        for change in edit.changes {
            if mode == .editing { walk?.release(change.address) }
            let node = hub.tree.nodes[change.slot]
            guard !isTold(change.address), node.address == change.address else { continue }
            step.settings.append(.init(address: change.address, spec: node.spec, before: change.before, after: change.after))
        }
        step.settings.removeAll { setting in exchanged.contains { setting.address.hasPrefix($0) } }
        if step.title == nil, !step.racks.isEmpty { step.title = words(edit.message) }
        let message = edit.message
        switch mode {
        case .editing:
            history.record(
                step, from: edit.origin, target: message.address, packet: message.receiveTime, time: message.receiveTime)
        case .undoing:
            // What was walking comes back with a redo as it would have been in the end.
            step.settings.removeAll { stopped.contains($0.address) }
            step.racks = step.racks.filter { !stopped.contains($0.key) }
            history.didUndo(step)
        case .redoing: history.didRedo(step, from: edit.origin, time: message.receiveTime)
        }
        // While a hand moves something, thirty times a second are enough.
        if mode != .editing || !step.isGesture { publishWords() }
        mode = .editing
    }

    /// Most messages are one more of a gesture, and nothing else.
    private func goesOn(_ edit: Edit) -> Bool {
        guard mode == .editing, doing == nil, formerRacks.isEmpty, walk == nil, edit.changes.count == 1,
            edit.changes[0].address == edit.message.address
        else { return false }
        let (change, time) = (edit.changes[0], edit.message.receiveTime)
        return history.goOn(change.address, to: change.after, from: edit.origin, packet: time, time: time)
    }

    /// "Add effect: delay, rack recording".
    private func words(_ message: Message) -> String? {
        guard let slot = hub.tree.slot(at: message.address) else { return nil }
        let arguments = message.arguments.map { argument in
            if case .string(let text) = argument { return text }
            return argument.number.map { ParameterSpec.plainWords($0) } ?? ""
        }
        let what = arguments.isEmpty ? "" : ": " + arguments.joined(separator: " ")
        let place = message.address.split(separator: "/").dropLast().joined(separator: " ")
        return "\(hub.tree.nodes[slot].spec.title)\(what), \(place)"
    }

    func undo() throws {
        guard let step = history.nextUndo else { throw SessionRefusal("there is nothing to undo") }
        try begin(.undoing)
        go(step.settings.map { ($0.address, $0.spec, $0.before) }, racks: step.racks.mapValues(\.before))
        if let scenes = step.scenes { self.scenes = scenes.before }
        if let session = step.session { open = session.before }
        finish(step)
    }

    func redo() throws {
        guard let step = history.nextRedo else { throw SessionRefusal("there is nothing to redo") }
        try begin(.redoing)
        go(step.settings.map { ($0.address, $0.spec, $0.after) }, racks: step.racks.mapValues(\.after))
        if let scenes = step.scenes { self.scenes = scenes.after }
        if let session = step.session { open = session.after }
        finish(step)
    }

    /// A pattern may mean several ways at once; only one of them can be gone.
    private func begin(_ way: Mode) throws {
        // Reported even when everything is in its place already.
        guard mode == .editing, doing == nil, hub.markEdit() else {
            throw SessionRefusal("undo and redo go one step at a time, and alone")
        }
        mode = way
    }

    private func finish(_ step: EditStep) {
        if step.scenes != nil { publishScenes() }
        if step.session != nil {
            publishScenes()
            publishFile()
        }
    }

    private func go(_ settings: [(address: String, spec: ParameterSpec, value: ParameterValue)], racks wanted: [String: RackDescription]) {
        // What walks is going to where the step leads away from.
        let isWalking = walk != nil
        stopped = []
        for setting in settings where walk?.release(setting.address) == true { stopped.insert(setting.address) }
        for name in wanted.keys where walk?.release(below: "/rack/\(name)/") == true { stopped.insert(name) }
        if isWalking, walk?.isEmpty == true { endWalk() }
        do { try racks.restore(wanted) } catch { hub.notice("\(error)") }
        for (address, spec, value) in settings { set(address, spec.arguments(value)) }
    }

    /// Sets something as a part of what a client has asked for.
    func set(_ address: String, _ arguments: [Argument]) {
        // No recording is not something that can be loaded.
        if address == hub.tree.nodes[slot(.recording)].address, arguments == [.string("")] { return }
        hub.handle(Message(address: address, arguments: arguments, receiveTime: rt_now()))
    }
}
