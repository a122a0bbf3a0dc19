import CRealtime
package import Hub
package import MIDI
import Parameters
import Session

/// Handles MIDI messages of every origin: controllers move parameters, and program changes load racks.
///
/// Values take the same path as any client's messages, so that smoothing, undo and subscriptions apply, and the last sender wins. Used on
/// the control thread only.
package final class MIDIControl {
    let hub: Hub
    private var reader = ControllerReader()
    /// Mappings by place; nil for an empty place.
    private(set) var mapped: [MappedParameter?]
    /// The shape of the namespace for which `mapped` has the indices.
    private var shape = -1
    private var moved: ControllerReading?
    /// The mapping that was learned from the previous message.
    var learned: (place: Int, mapping: MIDIMapping)?
    /// The position that a learned key is to set; nil for its velocity.
    var learnPosition: Float?

    /// Called with the undo step of the message being handled.
    var note: (EditStep) -> Void = { _ in }

    /// Sender of changes that controllers make: an address with the prefix 100::/64, which no client has.
    static let sender = NetworkAddress(bytes: SIMD16(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))

    init(hub: Hub) {
        self.hub = hub
        mapped = Array(repeating: nil, count: hub.tree.mappings)
    }

    func index(_ parameter: MIDIParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        hub.onSet(index(.message)) { [unowned self] value, context in
            let bytes = value.numbers.map { UInt8(clamping: Int(clamping: $0)) }
            guard let message = MIDIMessage(bytes[0], bytes[1], bytes[2]) else {
                throw RequestError(
                    "\(context.address) takes a channel message: a status of 128 to 239 and data bytes of 0 to 127")
            }
            // Each parameter that a controller moves is a separate undo step, not part of the message that carried the movement.
            hub.asSeparateEdit { [client = context.client] in take(message, time: context.receiveTime, from: client) }
        }
        hub.onSet(index(.learn)) { [unowned self] value, message in
            let position = try Self.position(message.message)
            try checkTarget(value.text ?? "")
            learnPosition = position
        }
        hub.onSet(index(.clear)) { [unowned self] _, _ in
            let places = mapped.indices.filter { mapped[$0] != nil }
            for place in places { set(place, "", time: rt_now()) }
            if !places.isEmpty { note(EditStep(title: "Remove all MIDI mappings")) }
        }
        hub.onSet(index(.rack)) { value, _ in
            let name = value.text ?? ""
            // Sessions may name racks that this engine does not have.
            guard name.isEmpty || RackPosition.all(listeners: ListenerLimits.all).contains(where: { $0.name == name }) else {
                throw RequestError("there is no rack \"\(name)\"; the racks are recording, input, listener/1, listener/2 and so on")
            }
        }
        for place in mapped.indices {
            hub.onSet(hub.tree.index(MIDIMappingParameter.mapping, place)) { [unowned self] value, context in
                let text = value.text ?? ""
                let mapping = text.allSatisfy(\.isWhitespace) ? nil : try MIDIMapping(text)
                if let mapping, hub.tree.index(at: mapping.target) != nil { try checkTarget(mapping.target) }
                // A separate undo step, which is not merged with earlier changes of the same mapping.
                if mapping == nil, let old = mapped[place] { note(EditStep(title: "Remove MIDI mapping: \(old.mapping)")) }
                mapped[place] = mapping.map(MappedParameter.init)
                shape = -1
                context.store(instead: .text(mapping?.description ?? ""))
            }
        }
    }

    /// The position that a message names after the address; nil without one.
    private static func position(_ message: Message) throws(RequestError) -> Float? {
        guard message.arguments.count == 2, let position = message.arguments[1].number else { return nil }
        guard (0...1).contains(position) else {
            throw RequestError("\(message.address): a position is 0, the lower end of the parameter's scale, to 1")
        }
        return position
    }

    /// - Parameter address: empty for none.
    /// - Throws: when a controller cannot move the parameter.
    private func checkTarget(_ address: String) throws {
        guard !address.isEmpty else { return }
        guard let index = hub.tree.index(at: address) else { throw RequestError(hub.suggest(address)) }
        if let obstacle = hub.tree.nodes[index].spec.obstacle {
            throw RequestError("\(address) cannot be mapped to a controller: \(obstacle)")
        }
    }

    // MARK: Messages

    /// - Parameters:
    ///   - time: when the message was received, CLOCK_MONOTONIC nanoseconds.
    ///   - client: sender of the message; nil for a MIDI device of the engine's computer.
    package func take(_ message: MIDIMessage, time: UInt64, from client: NetworkAddress? = nil) {
        if let program = message.program { return load(program, channel: message.channel, time: time, from: client) }
        let readings = reader.take(message)
        guard let first = readings.first else { return }
        if first.part != .name { moved = first }
        guard !learn(readings, time: time, from: client) else { return }
        refresh()
        for reading in readings {
            for place in mapped.indices where mapped[place]?.mapping.follows(reading) == true { apply(reading, to: place, time: time) }
        }
    }

    /// Loads the rack of a MIDI program, as a client's command does: presets come first, then the user's racks.
    private func load(_ program: Int, channel: Int, time: UInt64, from client: NetworkAddress?) {
        let (rack, wanted) = (hub.value(index(.rack)).text ?? "", Int(clamping: hub.value(index(.programChannel)).numbers[0]))
        guard !rack.isEmpty, wanted == 0 || wanted == channel else { return }
        guard hub.tree.index(at: "/rack/\(rack)/load") != nil else {
            return hub.notice("MIDI program \(program + 1): there is no rack \(rack); set \(MIDIParameter.rack.address())", from: client)
        }
        let lines = (hub.value(hub.tree.index(ListParameter.racks)).text ?? "").split(separator: "\n")
        guard lines.indices.contains(program) else {
            return hub.notice(
                "MIDI program \(program + 1): \(ListParameter.racks.address()) has \(counted(lines.count, "rack")); "
                    + "send 1 to \(lines.count)", from: client)
        }
        let words = lines[program].split(separator: "\t", omittingEmptySubsequences: false)
        guard words.count > 1 else { return }
        send("/rack/\(rack)/\(words[0] == "user" ? "load" : "preset")", .string(String(words[1])), time: time)
    }

    /// Looks up the parameters again when any were added, removed or renamed.
    private func refresh() {
        guard shape != hub.shape else { return }
        shape = hub.shape
        for place in mapped.indices {
            guard let target = mapped[place]?.mapping.target else { continue }
            let index = hub.tree.index(at: target).flatMap { hub.tree.nodes[$0].spec.obstacle == nil ? $0 : nil }
            if mapped[place]?.index != index { mapped[place]?.sent = nil }
            mapped[place]?.index = index
        }
    }

    private func apply(_ reading: ControllerReading, to place: Int, time: UInt64) {
        guard let parameter = mapped[place], let index = parameter.index, reading.part != .beginning else { return }
        let (mapping, spec) = (parameter.mapping, hub.tree.nodes[index].spec)
        let isPress = mapped[place]?.presses(reading, time: time) ?? false
        if spec.kind == .impulse {
            if isPress { send(mapping.target, time: time) }
            return
        }
        let ends = (first: spec.value(at: mapping.output.first), last: spec.value(at: mapping.output.last))
        if mapping.isToggle {
            guard isPress else { return }
            let number = hub.value(index).numbers.first ?? ends.first
            return set(place, index, abs(number - ends.first) <= abs(number - ends.last) ? ends.last : ends.first, time: time)
        }
        if spec.kind == .toggle { return set(place, index, reading.isPressed ? ends.last : ends.first, time: time) }
        let share = reading.step.map { parameter.share(after: $0, from: spec.access == .write ? nil : hub.value(index), spec) }
        let number = spec.number(for: mapping, at: share ?? reading.share)
        mapped[place]?.share = share ?? reading.share
        if spec.access == .write {
            // The value in force is unknown: a key acts whenever it is pressed, a knob whenever it reaches another value.
            let isKey = reading.controller.isKey || ends.first == ends.last
            if isKey ? isPress : parameter.sent != number { set(place, index, number, time: time) }
            return
        }
        // Many positions of a controller may mean one choice.
        guard parameter.sent != number || hub.value(index) != .number(number) else { return }
        set(place, index, number, time: time)
    }

    private func set(_ place: Int, _ index: Int, _ number: Float, time: UInt64) {
        mapped[place]?.sent = number
        guard !hub.set(index, to: number, time: time, from: nil, sender: Self.sender) else { return }
        send(hub.tree.nodes[index].address, .float(number), time: time)
    }

    /// Sets the text of a mapping, as a client does.
    func set(_ place: Int, _ text: String, time: UInt64) {
        send(MIDIMappingParameter.mapping.address(place), .string(text), time: time)
    }

    private func send(_ address: String, _ arguments: Argument..., time: UInt64) {
        hub.handle(Message(address: address, arguments: arguments, receiveTime: time, sender: Self.sender))
    }

    // MARK: Thirty times a second

    func publish() {
        guard let reading = moved else { return }
        moved = nil
        let position = reading.step.map { $0 > 0 ? "up" : "down" } ?? "\(Int(clamping: (reading.share * 100).rounded())) %"
        hub.publish(index(.moved), .text("\(reading.controller) channel \(reading.channel): \(position)"))
    }

    /// - Parameter names: connected devices.
    package func publish(inputs names: [String]) { hub.publish(index(.inputs), .text(names.joined(separator: "\n"))) }
}
