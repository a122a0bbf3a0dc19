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
