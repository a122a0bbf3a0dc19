import CRealtime
import Hub
package import MIDI
import Parameters
import Session

/// Controllers that move parameters, and programme changes that load racks: whatever a MIDI message comes from ends here.
///
/// Values take the way of any client's messages, so that smoothing, undo and subscriptions apply, and the last sender wins.
/// Used on the control thread only.
package final class MIDIControl {
    let hub: Hub
    private var reader = ControllerReader()
    /// By place.
    private(set) var mapped: [MappedParameter?]
    /// The shape of the namespace for which `mapped` has the indices.
    private var shape = -1
    private var moved: ControllerReading?
    /// The mapping that was learned from the message before.
    var learned: (place: Int, mapping: MIDIMapping)?

    /// Called with the step of the undo history that the message being handled is.
    var note: (EditStep) -> Void = { _ in }

    /// Sender of what controllers change: an address of the prefix 100::/64, which no client has.
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
            // Each parameter that a controller moves is an edit of its own, not one of the message that brought it.
            hub.apart { take(message, time: context.receiveTime) }
        }
        hub.onSet(index(.learn)) { [unowned self] value, _ in try checkTarget(value.text ?? "") }
        hub.onSet(index(.clear)) { [unowned self] _, _ in
            let places = mapped.indices.filter { mapped[$0] != nil }
            for place in places { set(place, "", time: rt_now()) }
            if !places.isEmpty { note(EditStep(title: "Remove all MIDI mappings")) }
        }
        hub.onSet(index(.rack)) { value, _ in
            let name = value.text ?? ""
            guard name.isEmpty || RackPosition.all(listeners: Self.mostListeners).contains(where: { $0.name == name }) else {
                throw RequestError("there is no rack \"\(name)\"; there are recording, input, and listener/1 and following")
            }
        }
        for place in mapped.indices {
            hub.onSet(hub.tree.index(MIDIMappingParameter.mapping, place)) { [unowned self] value, context in
                let text = value.text ?? ""
                let mapping = text.allSatisfy(\.isWhitespace) ? nil : try MIDIMapping(text)
                if let mapping, hub.tree.index(at: mapping.target) != nil { try checkTarget(mapping.target) }
                // A step of its own, which earlier changes of the same mapping do not join.
                if mapping == nil, let old = mapped[place] { note(EditStep(title: "Remove MIDI mapping: \(old.mapping)")) }
                mapped[place] = mapping.map(MappedParameter.init)
                shape = -1
                context.store(instead: .text(mapping?.description ?? ""))
            }
        }
    }

    /// Listeners of any engine at most: sessions may name racks that this engine does not have.
    private static let mostListeners = 1088

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

    /// - Parameter time: when the message was received, CLOCK_MONOTONIC nanoseconds.
    package func take(_ message: MIDIMessage, time: UInt64) {
        if let program = message.program { return load(program, channel: message.channel, time: time) }
        let readings = reader.take(message)
        guard let first = readings.first else { return }
        moved = first
        guard !learn(readings, time: time) else { return }
        refresh()
        for reading in readings {
            for place in mapped.indices where mapped[place]?.mapping.follows(reading) == true { apply(reading, to: place, time: time) }
        }
    }

    /// Loads the preset of a programme, as a client's command does.
    private func load(_ program: Int, channel: Int, time: UInt64) {
        let (rack, wanted) = (hub.value(index(.rack)).text ?? "", Int(clamping: hub.value(index(.programChannel)).numbers[0]))
        guard !rack.isEmpty, wanted == 0 || wanted == channel else { return }
        let address = "/rack/\(rack)/preset"
        guard let index = hub.tree.index(at: address), case .choice(let names) = hub.tree.nodes[index].spec.kind else {
            return hub.notice("MIDI programme \(program + 1): there is no rack \(rack); set \(MIDIParameter.rack.address())")
        }
        guard names.indices.contains(program) else {
            return hub.notice("MIDI programme \(program + 1): the list has \(counted(names.count, "preset")); send 1 to \(names.count)")
        }
        send(address, .string(names[program]), time: time)
    }

    /// Finds the parameters anew when any have come, gone or got another address.
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
        guard let parameter = mapped[place], let index = parameter.index else { return }
        let (mapping, spec) = (parameter.mapping, hub.tree.nodes[index].spec)
        let isPress = mapped[place]?.presses(reading) ?? false
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
        let number = spec.value(at: mapping.position(reading.share))
        // Many positions of a controller may mean one choice, and what can only be written acts every time.
        guard parameter.sent != number || spec.access != .write && hub.value(index) != .number(number) else { return }
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
        let position = Int(clamping: (reading.share * 100).rounded())
        hub.publish(index(.moved), .text("\(reading.controller) channel \(reading.channel): \(position) %"))
    }

    /// - Parameter names: connected devices.
    package func publish(inputs names: [String]) { hub.publish(index(.inputs), .text(names.joined(separator: "\n"))) }
}
