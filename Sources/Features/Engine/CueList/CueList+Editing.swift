import Hub
import Parameters
import Session

/// Storing, removing and renumbering cues.
extension CueList {
    func connectEditing() {
        for place in cues.indices {
            hub.onSet(hub.tree.index(CueListEntryParameter.cue, place)) { [unowned self] value, context in
                let text = value.text ?? ""
                let cue = text.allSatisfy(\.isWhitespace) ? nil : try Cue(text)
                // A separate undo step, which is not merged with earlier changes of the same cue.
                note(EditStep(title: (cue ?? cues[place]).map { "\(cue == nil ? "Remove" : "Store") cue \($0.title)" }))
                change(place, to: cue)
                context.store(instead: .text(cue?.description ?? ""))
            }
        }
        hub.onSet(index(.store)) { [unowned self] value, _ in try store(Cue(value.text ?? "")) }
        hub.onSet(index(.remove)) { [unowned self] value, _ in set(try find(value.text ?? ""), nil) }
        hub.onSet(index(.renumber)) { [unowned self] value, _ in try renumber(CueNumber(value.numbers[0]), CueNumber(value.numbers[1])) }
        hub.onSet(index(.clear)) { [unowned self] _, _ in
            guard hasCues else { return }
            for place in cues.indices where cues[place] != nil { set(place, nil) }
            note(EditStep(title: "Remove all cues"))
        }
    }

    private func store(_ cue: Cue) throws {
        let known = cues.firstIndex { $0?.number == cue.number }
        guard let place = known ?? cues.firstIndex(where: { $0 == nil }) else {
            throw RequestError("there are \(cues.count) cues already; remove one first")
        }
        set(place, cue)
    }

    private func renumber(_ old: CueNumber, _ new: CueNumber) throws {
        let place = try find("\(old)")
        guard var cue = cues[place], old != new else { return }
        let other = cues.firstIndex { $0?.number == new }
        cue.number = new
        set(place, cue)
        if let other, var exchanged = cues[other] {
            exchanged.number = old
            set(other, exchanged)
        }
        note(EditStep(title: "Renumber cue \(old) to \(new)"))
    }

    /// Sets the text of a place, as a client does.
    private func set(_ place: Int, _ cue: Cue?) {
        hub.set(CueListEntryParameter.cue.address(place), to: [.string(cue?.description ?? "")])
    }

    private func change(_ place: Int, to cue: Cue?) {
        let wasEmpty = !hasCues
        if cue?.trigger != cues[place]?.trigger { days.forget(place) }
        cues[place] = cue
        if cue == nil { runs.removeAll { $0.place == place || $0.comingPlace == place } }
        if wasEmpty {
            standby = order.first
        } else if let standby, cues[standby] == nil {
            self.standby = order.first { place in cues[place].map { $0.number > standbyNumber ?? $0.number } ?? false }
        }
        putOnStandby(standby)
    }
}
