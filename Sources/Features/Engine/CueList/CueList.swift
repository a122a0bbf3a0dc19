import Hub
import Parameters
import Session

/// The cue list: its cues, the cue on standby, and the cues that were fired.
///
/// Used on the control thread only.
package final class CueList {
    let hub: Hub
    let actions: CueActions
    /// Cues by place in the list; nil for an empty place.
    var cues: [Cue?]
    /// Place of the cue that Go fires next.
    var standby: Int?
    /// Number of the cue on standby, to find its successor when it is removed.
    var standbyNumber: CueNumber?
    var runs: [CueRun] = []
    var days = DailyWatch()
    var positions = PositionWatch()

    /// Called with the undo step of the message being handled.
    var note: (EditStep) -> Void = { _ in }
    /// The clock for times of day.
    package var wallClock: () -> WallTime = { .now }

    init(hub: Hub, actions: CueActions) {
        self.hub = hub
        self.actions = actions
        cues = Array(repeating: nil, count: hub.tree.cueList)
    }

    /// Sends OSC messages of cues to other programs; never waits.
    package func onSend(_ send: @escaping (OutgoingMessage) -> Void) { actions.send = send }

    func index(_ parameter: CueListParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        connectEditing()
        hub.onSet(index(.go)) { [unowned self] _, message in
            guard let place = standby else { throw RequestError("no cue is on standby\(hasCues ? "; select one" : ": the list is empty")") }
            fire(place, now: message.receiveTime)
        }
        hub.onSet(index(.fire)) { [unowned self] value, message in fire(try find(value.text ?? ""), now: message.receiveTime) }
        for place in cues.indices {
            hub.onSet(hub.tree.index(CueListEntryParameter.fire, place)) { [unowned self] _, message in
                guard cues[place] != nil else { throw RequestError("\(message.address): there is no cue in this place") }
                fire(place, now: message.receiveTime)
            }
        }
        hub.onSet(index(.select)) { [unowned self] value, _ in
            let name = value.text ?? ""
            guard let place = name.isEmpty ? order.first : try find(name) else { throw RequestError("the cue list is empty") }
            putOnStandby(place)
        }
        hub.onSet(index(.back)) { [unowned self] _, _ in
            let before = standby.flatMap { place in order.prefix { $0 != place }.last } ?? (standby == nil ? order.last : nil)
            guard let before else { throw RequestError("there is no cue before the one on standby") }
            putOnStandby(before)
        }
        hub.onSet(index(.stop)) { [unowned self] _, message in stopAll(now: message.receiveTime) }
    }

    // MARK: The list

    var hasCues: Bool { cues.contains { $0 != nil } }

    /// Places that have a cue, sorted by cue number. Equal numbers, which only clients that write to places can assign, are sorted by
    /// place.
    var order: [Int] {
        cues.indices.compactMap { place in cues[place].map { (place, $0.number) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    /// The place of the cue after another one.
    func place(after place: Int) -> Int? { order.drop { $0 != place }.dropFirst().first }

    /// The place of a cue by its number, or by its name.
    func find(_ name: String) throws -> Int {
        let order = order
        if let number = CueNumber(name), let place = order.first(where: { cues[$0]?.number == number }) { return place }
        if let place = order.first(where: { !name.isEmpty && cues[$0]?.name == name }) { return place }
        let numbers = order.prefix(Self.mostListed).compactMap { cues[$0].map { "\($0.number)" } }.joined(separator: ", ")
        let rest = order.count > Self.mostListed ? " and \(order.count - Self.mostListed) more" : ""
        throw RequestError(
            "there is no cue \"\(name.prefix(60))\"; " + (order.isEmpty ? "the list is empty" : "the cues are \(numbers)\(rest)"))
    }

    private static let mostListed = 12

    func putOnStandby(_ place: Int?) {
        (standby, standbyNumber) = (place, place.flatMap { cues[$0]?.number })
        publishStandby()
    }

    /// Starts again with the first cue, because another session was loaded.
    func rewind() {
        runs = []
        hub.publish(index(.current), .text(""))
        putOnStandby(order.first)
        publishWaits(now: 0)
    }
}

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
