import Effects
import Hub
import Parameters
import Rack

/// The parameters of a slot in the hub: its own, which stay as long as the slot, and those of its effect.
final class SlotParameters {
    private(set) var generation: Int
    private var kind: EffectKind?
    private let hub: Hub
    private let container: String
    private let need: (SlotEdit) throws -> (any PendingWork)?
    private let edit: (SlotEdit) throws -> Void
    private var own: [RackSlotParameter: Int] = [:]
    private var effect: [Int] = []
    /// Aliases at former addresses: of the effect's parameters, and of the slot's mix.
    private var aliases: [Int] = []
    /// Address of the effect's parameters; nil before there is an effect.
    private var effectContainer: String?

    /// - Parameter container: address of the slot.
    init(
        _ slot: RackModel.Slot, hub: Hub, container: String, need: @escaping (SlotEdit) throws -> (any PendingWork)?,
        edit: @escaping (SlotEdit) throws -> Void
    ) {
        generation = slot.generation
        self.hub = hub
        self.container = container
        self.need = need
        self.edit = edit
        let parameters = RackSlotParameter.allCases.filter { $0.isOfEverySlot }
        let indices = hub.exchange(
            [], for: parameters.map { coming($0, slot.description) }, containers: [container: RackSlotParameter.summary])
        for (parameter, index) in zip(parameters, indices) { own[parameter] = index }
        _ = show(slot)
    }

    /// Shows another effect, or the same one with other settings.
    /// - Returns: whether parameters were added or removed.
    func show(_ slot: RackModel.Slot) -> Bool {
        let description = slot.description
        generation = slot.generation
        publish(.effect, number(of: description.kind))
        publish(.bypass, description.bypass ? 1 : 0)
        publish(.mix, description.mix)
        guard description.kind != kind else {
            for (i, index) in effect.enumerated() { hub.publish(index, value(i, description)) }
            return false
        }
        kind = description.kind
        let place = "\(container)/\(description.kind.name)"
        var containers: [String: String?] = [place: description.kind.summary]
        if let effectContainer, effectContainer != place { containers[effectContainer] = String?.none }
        effectContainer = place
        var going = effect + aliases
        for parameter in special { if let index = own.removeValue(forKey: parameter) { going.append(index) } }
        let parameters = description.kind.parameters.indices.map { coming($0, place, description) }
        let indices = hub.exchange(going, for: parameters + comingAliases(place, description), containers: containers)
        effect = Array(indices.prefix(parameters.count))
        aliases = Array(indices.dropFirst(parameters.count))
        for parameter in special where parameter.applies(to: description.kind) {
            own[parameter] = hub.exchange([], for: [coming(parameter, description)])[0]
        }
        return true
    }

    /// Parameters that only some effects bring.
    private var special: [RackSlotParameter] { RackSlotParameter.allCases.filter { !$0.isOfEverySlot } }

    /// Number of an effect, as the parameter `effect` counts them.
    private func number(of kind: EffectKind) -> Float { Float(EffectRegistry.standard.number(of: kind) ?? 0) }

    private func publish(_ parameter: RackSlotParameter, _ value: Float) {
        if let index = own[parameter] { hub.publish(index, .number(value)) }
    }

    private func coming(_ parameter: RackSlotParameter, _ slot: RackDescription.Slot) -> TransientParameter {
        let address = "\(container)/\(parameter.leaf)"
        let spec = parameter.spec
        return switch parameter {
        case .effect:
            .init(address, spec, .number(number(of: slot.kind))) { [unowned self] value, _ in
                if let kind = EffectRegistry.standard.kind(at: Int(clamping: value.numbers[0])) { try edit(.effect(kind)) }
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

    private func coming(_ index: Int, _ place: String, _ slot: RackDescription.Slot) -> TransientParameter {
        let parameter = slot.kind.parameters[index]
        var coming = TransientParameter("\(place)/\(parameter.name)", parameter.spec, value(index, slot)) { [unowned self] value, message in
            switch value {
            case .number(let number): try edit(.value(index, number))
            case .text(let text):
                try edit(.text(parameter.name, text))
                // Stores the path of the file instead of the name that was sent.
                message.store(instead: hub.value(effect[index]))
            case .vector, .impulse: break
            }
        }
        if !parameter.spec.isScalar {
            coming.need = { [unowned self] value, _ in
                guard let text = value.text else { return nil }
                return try need(.text(parameter.name, text))
            }
        }
        return coming
    }

    private func comingAliases(_ place: String, _ slot: RackDescription.Slot) -> [TransientParameter] {
        let renamed = slot.kind.parameters.indices.compactMap { index in
            slot.kind.parameters[index].alias.map { name, spec in
                TransientParameter("\(place)/\(name)", spec, spec.initial) { [unowned self] value, _ in
                    try edit(.value(index, value.numbers[0]))
                    hub.publish(effect[index], value)
                }
            }
        }
        guard let spec = RackSlotParameter.formerMix(slot.kind) else { return renamed }
        let alias = TransientParameter("\(place)/\(RackSlotParameter.mix.leaf)", spec, spec.initial) { [unowned self] value, _ in
            let mix = slot.kind.wetDry.law.share(linear: value.numbers[0])
            try edit(.mix(mix))
            publish(.mix, mix)
        }
        return renamed + [alias]
    }

    /// Removes all parameters from the hub.
    func leave() {
        var containers: [String: String?] = [container: String?.none]
        if let effectContainer { containers[effectContainer] = String?.none }
        _ = hub.exchange(effect + own.values + aliases, for: [], containers: containers)
        (effect, own, aliases) = ([], [:], [])
    }

    /// - Parameter progress: share of the file that has been read, 0 to 1.
    func publish(state: String, progress: Float) {
        if let index = own[.state] { hub.publish(index, .text(state)) }
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

/// A change that a client makes to a slot.
enum SlotEdit {
    case effect(EffectKind)
    case bypass(Bool)
    case mix(Float)
    /// A numeric parameter of the effect, by its position among those.
    case value(Int, Float)
    /// A text parameter of the effect, by name.
    case text(String, String)
}
