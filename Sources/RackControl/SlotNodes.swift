internal import Hub
internal import Parameters
internal import Rack

/// A slot's parameters in the hub: its own, which stay as long as it is there, and those of its effect.
final class SlotNodes {
    private(set) var generation: Int
    private var kind: EffectKind?
    private let hub: Hub
    private let container: String
    private let edit: (SlotEdit) throws -> Void
    private var own: [RackSlotParameter: Int] = [:]
    private var effect: [Int] = []
    /// Where the effect's parameters are; nil before there is one.
    private var effectContainer: String?

    /// - Parameter container: of the slot.
    init(
        _ number: Int, _ slot: RackModel.Slot, hub: Hub, container: String, edit: @escaping (SlotEdit) throws -> Void
    ) {
        generation = slot.generation
        self.hub = hub
        self.container = container
        self.edit = edit
        let parameters = RackSlotParameter.allCases.filter { $0.isOfEverySlot }
        let slots = hub.exchange(
            [], for: parameters.map { coming($0, slot.description) }, containers: [container: RackSlotParameter.summary])
        for (parameter, place) in zip(parameters, slots) { own[parameter] = place }
        _ = show(slot)
    }

    /// Another effect stands here, or the same one with other settings.
    /// - Returns: whether there are other parameters now.
    func show(_ slot: RackModel.Slot) -> Bool {
        let description = slot.description
        generation = slot.generation
        publish(.effect, Float(description.kind.rawValue))
        publish(.bypass, description.bypass ? 1 : 0)
        publish(.mix, description.mix)
        guard description.kind != kind else {
            for (i, slot) in effect.enumerated() { hub.publish(slot, value(i, description)) }
            return false
        }
        kind = description.kind
        let place = "\(container)/\(description.kind.name)"
        var containers: [String: String?] = [place: description.kind.summary]
        if let effectContainer, effectContainer != place { containers[effectContainer] = String?.none }
        effectContainer = place
        var going = effect
        for parameter in special { if let place = own.removeValue(forKey: parameter) { going.append(place) } }
        effect = hub.exchange(
            going, for: description.kind.parameters.indices.map { coming($0, place, description) },
            containers: containers)
        for parameter in special where parameter.applies(to: description.kind) {
            own[parameter] = hub.exchange([], for: [coming(parameter, description)])[0]
        }
        return true
    }

    private var special: [RackSlotParameter] { RackSlotParameter.allCases.filter { !$0.isOfEverySlot } }

    private func publish(_ parameter: RackSlotParameter, _ value: Float) {
        if let slot = own[parameter] { hub.publish(slot, .number(value)) }
    }

    private func coming(_ parameter: RackSlotParameter, _ slot: RackDescription.Slot) -> Hub.Coming {
        let address = "\(container)/\(parameter.leaf)"
        let spec = parameter.spec
        return switch parameter {
        case .effect:
            .init(address, spec, .number(Float(slot.kind.rawValue))) { [unowned self] value, _ in
                if let kind = EffectKind(rawValue: Int(value.numbers[0])) { try edit(.effect(kind)) }
            }
        case .bypass:
            .init(address, spec, .number(slot.bypass ? 1 : 0)) { [unowned self] value, _ in
                try edit(.bypass(value.numbers[0] != 0))
            }
        case .mix:
            .init(address, spec, .number(slot.mix)) { [unowned self] value, _ in try edit(.mix(value.numbers[0])) }
        case .level, .reduction, .interval, .state, .progress: .init(address, spec, spec.initial)
        }
    }

    private func value(_ index: Int, _ slot: RackDescription.Slot) -> ParameterValue {
        let parameter = slot.kind.parameters[index]
        return parameter.spec.isScalar ? .number(slot.values[index]) : .text(slot.texts[parameter.name] ?? "")
    }

    private func coming(_ index: Int, _ place: String, _ slot: RackDescription.Slot) -> Hub.Coming {
        let parameter = slot.kind.parameters[index]
        return .init("\(place)/\(parameter.name)", parameter.spec, value(index, slot)) { [unowned self] value, _ in
            switch value {
            case .number(let number): try edit(.value(index, number))
            case .text(let text): try edit(.text(parameter.name, text))
            case .vector, .impulse: break
            }
        }
    }

    /// Takes everything out of the hub.
    func leave() {
        var containers: [String: String?] = [container: String?.none]
        if let effectContainer { containers[effectContainer] = String?.none }
        _ = hub.exchange(effect + own.values, for: [], containers: containers)
        (effect, own) = ([], [:])
    }

    /// - Parameter progress: of the file, 0 to 1.
    func publish(state: String, progress: Float) {
        if let slot = own[.state] { hub.publish(slot, .text(state)) }
        publish(.progress, (progress * 100).rounded() / 100)
    }

    /// - Parameters:
    ///   - level: linear; `reduction`: decibels; `interval`: milliseconds.
    func publish(level: Float, reduction: Float, interval: Float) {
        publish(.level, (level * 10_000).rounded() / 10_000)
        publish(.reduction, (reduction * 10).rounded() / 10)
        publish(.interval, (interval * 10).rounded() / 10)
    }
}
