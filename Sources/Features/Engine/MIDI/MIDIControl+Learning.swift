import Hub
import MIDI
import Parameters

/// Learning: the next controller to move is mapped to the parameter that a client has named.
extension MIDIControl {
    /// - Returns: whether the message was consumed, so that the parameter does not jump to where the controller happens to be.
    func learn(_ readings: [ControllerReading], time: UInt64, from client: NetworkAddress?) -> Bool {
        let target = hub.value(index(.learn)).text ?? ""
        let readings = readings.filter { $0.part != .name }
        guard !target.isEmpty else { return readings.isEmpty ? false : refine(readings, time: time) }
        // Releasing a key or button does not choose a controller.
        guard let reading = readings.first, reading.isChoice else { return true }
        assign(reading, to: target, time: time, from: client)
        return true
    }

    private func assign(_ reading: ControllerReading, to target: String, time: UInt64, from client: NetworkAddress?) {
        var mapping = MIDIMapping(reading.controller, channel: reading.channel, target: target)
        let value = valueToLearn(reading, target)
        if let value { mapping.output = .init(first: value, last: value) }
        guard let place = place(for: mapping, isOneValue: value != nil) else {
            hub.publish(index(.learn), .text(""))
            return hub.notice("no mapping was learned: there are \(mapped.count) already; remove one first", from: client)
        }
        if let known = mapped[place]?.mapping {
            (mapping.input, mapping.output, mapping.curve, mapping.isToggle) = (known.input, known.output, known.curve, known.isToggle)
        }
        set(place, "\(mapping)", time: time)
        hub.publish(index(.learn), .text(""))
        learned = (place, mapping)
    }

    /// Turns a controller that was just learned into one of 14 bits when its lower half follows at once.
    ///
    /// - Returns: whether the message was consumed, as the other half of the value that was learned.
    private func refine(_ readings: [ControllerReading], time: UInt64) -> Bool {
        guard let (place, mapping) = learned else { return false }
        if mapping.controller.isKey { return takeFader(readings, touchedAt: place, mapping, time: time) }
        learned = nil
        if readings.contains(where: { $0.part == .completion && mapping.follows($0) }) { return true }
        guard case .control(let number) = mapping.controller, mapped[place]?.mapping == mapping,
            readings.contains(where: { $0.controller == .fineControl(number) && $0.channel == mapping.channel })
        else { return false }
        var fine = mapping
        fine.controller = .fineControl(number)
        set(place, "\(fine)", time: time)
        return true
    }

    /// Learns a touch-sensitive fader: it sends a note when it is touched, before it moves, and the release of that note afterwards.
    ///
    /// - Returns: whether the message was consumed, as the first movement of the fader.
    private func takeFader(_ readings: [ControllerReading], touchedAt place: Int, _ touch: MIDIMapping, time: UInt64) -> Bool {
        guard mapped[place]?.mapping == touch, let index = hub.tree.index(at: touch.target),
            !readings.contains(where: { touch.follows($0) && !$0.isPressed })
        else {
            learned = nil
            return false
        }
        let kind = hub.tree.nodes[index].spec.kind
        guard kind != .impulse, kind != .toggle, let fader = readings.first(where: { !$0.controller.isKey && $0.controller != .pressure })
        else { return false }
        set(place, "", time: time)
        assign(fader, to: touch.target, time: time, from: nil)
        return true
    }

    /// The position that the controller is to set, if one was named: keys set it, and knobs where the parameter can only be written;
    /// other knobs move through the whole range.
    private func valueToLearn(_ reading: ControllerReading, _ target: String) -> Float? {
        guard let index = hub.tree.index(at: target) else { return nil }
        return reading.controller.isKey || hub.tree.nodes[index].spec.access == .write ? learnPosition : nil
    }

    /// The place of the parameter's present mapping, or the first vacant one.
    /// - Parameter isOneValue: whether the mapping sets one value; other mappings of the same parameter then keep their places.
    private func place(for mapping: MIDIMapping, isOneValue: Bool) -> Int? {
        mapped.firstIndex {
            guard let known = $0?.mapping, known.target == mapping.target else { return false }
            return isOneValue ? known.output == mapping.output : known.output.first != known.output.last
        } ?? mapped.firstIndex { $0 == nil }
    }
}

extension ControllerReading {
    /// Whether the movement chooses the controller. Releasing a key does not.
    fileprivate var isChoice: Bool {
        controller.isKey ? isPressed : true
    }
}
