internal import CRealtime
internal import Hub
internal import Parameters

/// Applies commands of the broker's clients, and answers those that ask for it.
final class MQTTCommands {
    private let hub: Hub
    private let topics: MQTTTopics
    private let states: MQTTStates
    private let answer: (MQTTPublication) -> Void
    /// The broker's clients as one client of the hub: their commands keep their order.
    private let client: Subscriber
    /// Replies to the commands that wait for files, the earliest first.
    private var late: [Reply?] = []
    private var refusals = RefusalLog()
    private(set) var refused = 0
    /// Called after a refusal that came late.
    var onRefusal: () -> Void = {}

    init(_ hub: Hub, _ topics: MQTTTopics, _ states: MQTTStates, answer: @escaping (MQTTPublication) -> Void) {
        (self.hub, self.topics, self.states, self.answer) = (hub, topics, states, answer)
        client = hub.subscribe {}
        client.onReply = { [unowned self] in if !late.isEmpty { late[0] = $0 } }
        client.reportsRefusals = true
    }

    func handle(_ arrival: MQTTArrival) {
        let address = topics.address(ofCommand: arrival.topic) ?? ""
        do {
            let arguments = try check(arrival, address)
            let reply = hub.handle(Message(address: address, arguments: arguments, receiveTime: arrival.time), from: client)
            guard hub.isWaiting(client, nil), !isRefusal(reply) else { return finish(arrival, address, reply) }
            late.append(nil)
            hub.afterEarlierMessages(from: client, nil) { [weak self] in
                guard let self else { return }
                finish(arrival, address, late.removeFirst() ?? reply)
            }
        } catch {
            let text = "\(address.isEmpty ? arrival.topic : address): \(error)"
            complain(text, of: arrival.topic)
            refuse(arrival, address, text)
        }
    }

    private func check(_ arrival: MQTTArrival, _ address: String) throws(MQTTValue.Refusal) -> [Argument] {
        guard !address.isEmpty else { throw .init(description: "there is no address after set/") }
        guard !arrival.isRetained else {
            throw .init(description: "commands must not be retained, since they would act again whenever a client connects")
        }
        guard !address.contains("//") else {
            throw .init(description: "two slashes in a row: after set/ comes the address without its first slash, as in set/transport/play")
        }
        guard !address.utf8.contains(where: Hub.isWildcard) else {
            throw .init(description: "patterns are not accepted, since the broker's access list does not see which parameters they mean")
        }
        let arguments = try arrival.arguments.get()
        if let text = arrival.revision { try check(revision: text, address) }
        return arguments
    }

    private func isRefusal(_ reply: Reply) -> Bool {
        switch reply {
        case .refused, .unknown: true
        case .done, .clamped: false
        }
    }

    /// Refuses commands that were decided on before the sender knew the current state.
    private func check(revision text: String, _ address: String) throws(MQTTValue.Refusal) {
        guard let known = UInt64(text) else { throw .init(description: "the property revision must be a whole number") }
        guard let index = hub.tree.index(at: address) else { return }
        let isAction = hub.tree.nodes[index].spec.access == .write
        guard let present = isAction ? states.revision(beside: index) : states.revision(of: index) else {
            if isAction { throw .init(description: "no state beside this action has a revision; send it without one") }
            throw .init(description: "outdated: the state has not been published since the connection to the broker was made")
        }
        guard known >= present else {
            throw .init(description: "outdated: the command is for revision \(known), but the state has revision \(present)")
        }
    }

    private func finish(_ arrival: MQTTArrival, _ address: String, _ reply: Reply) {
        switch reply {
        case .refused(let text), .unknown(let text):
            complain(text, of: arrival.topic)
            refuse(arrival, address, text)
        case .done, .clamped:
            if case .clamped(let text) = reply { complain(text, of: arrival.topic) }
            let index = hub.tree.index(at: address)
            if let index { states.note(index, origin: arrival.origin) }
            var members = #"{"ok":true,"address":"#.utf8 + MQTTValue.quoted(address)
            if let index, hub.tree.nodes[index].spec.access != .write {
                members += Array(#","value":"#.utf8) + MQTTValue.json(hub.tree.nodes[index].spec, hub.value(index))
            }
            if let note = reply.text { members += Array(#","note":"#.utf8) + MQTTValue.quoted(note) }
            send(members + [UInt8(ascii: "}")], for: arrival)
        }
    }

    private func complain(_ text: String, of topic: String) {
        if refusals.admits(topic, now: rt_now()) { hub.notice("MQTT: \(text)") }
    }

    private func refuse(_ arrival: MQTTArrival, _ address: String, _ text: String) {
        refused += 1
        onRefusal()
        send(
            #"{"ok":false,"address":"#.utf8 + MQTTValue.quoted(address) + Array(#","error":"#.utf8) + MQTTValue.quoted(text)
                + [UInt8(ascii: "}")], for: arrival)
    }

    private func send(_ payload: [UInt8], for arrival: MQTTArrival) {
        guard let topic = arrival.responseTopic else { return }
        if let refusal = MQTTTopics.refusal(ofResponseTopic: topic) {
            complain("a command is not answered: \(refusal)", of: arrival.topic)
            return
        }
        answer(MQTTPublication(topic: topic, payload: payload, correlation: arrival.correlation))
    }
}

/// Decides which refusals are logged: the first of each subject, and again after an hour. A program that keeps sending what is refused
/// would fill the log otherwise. Subjects beyond the bound wait until older ones expire.
struct RefusalLog {
    /// Nanoseconds after which a subject expires.
    private static let period: UInt64 = 3_600_000_000_000
    private static let most = 64
    /// Time at which each subject was logged, CLOCK_MONOTONIC nanoseconds.
    private var told: [String: UInt64] = [:]

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: whether a refusal is to be logged; it counts as logged then.
    mutating func admits(_ subject: String, now: UInt64) -> Bool {
        if told[subject] == nil, told.count >= Self.most { told = told.filter { now < $0.value + Self.period } }
        guard told[subject].map({ now >= $0 + Self.period }) ?? (told.count < Self.most) else { return false }
        told[subject] = now
        return true
    }
}
