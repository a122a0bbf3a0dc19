import Hub
import Parameters
import Rack

/// The rack as a whole: its bypass, its two sides, and its levels.
extension RackEditor {
    func connectSides() {
        hub.onSet(index(.bypass)) { [unowned self] value, _ in
            model.state.isBypassed = value.numbers[0] != 0
            playback.set(bypass: model.state.isBypassed, fades: isRunning)
        }
        hub.onNeed(index(.side)) { [unowned self] _, _ in try files.read(FileRequest.responses(description)) }
        hub.onSet(index(.side)) { [unowned self] value, _ in
            guard RackState.Side(rawValue: Int(clamping: value.numbers[0])) != model.state.side else { return }
            try restore(description.switched)
        }
        hub.onSet(index(.copy)) { [unowned self] _, _ in
            let places = description.places
            try change { model in model.state.other = places }
            otherTitle = hub.value(index(.title)).text ?? ""
        }
    }

    /// Exchanges the sides' titles when the other side is heard next.
    /// - Returns: the title to publish; nil for the current one.
    func exchangeTitles(_ coming: RackModel, _ title: String?) -> String? {
        guard coming.state.side != model.state.side, title == nil else { return title }
        let (present, isNew) = (hub.value(index(.title)).text ?? "", model.state.other == nil)
        defer { otherTitle = present }
        return isNew ? present : otherTitle
    }

    /// Publishes the bypass and the side.
    func publishState() {
        hub.publish(index(.bypass), .number(model.state.isBypassed ? 1 : 0))
        hub.publish(index(.side), .number(Float(model.state.side.rawValue)))
    }

    /// Whether the rack has no effects, not even fading ones.
    var isIdle: Bool { model.slots.isEmpty && playback.heard.slots.isEmpty && playback.isTidy }

    /// Publishes the levels before and after the rack.
    func publishLevels() {
        let taken = playback.takeLevels()
        let levels = isBlinded ? (input: 0, output: 0) : taken
        for (parameter, level) in [(RackParameter.input, levels.input), (.output, levels.output)] {
            hub.publish(index(parameter), .number((level * 10_000).rounded() / 10_000))
        }
    }
}
