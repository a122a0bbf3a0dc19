internal import Hub
internal import Parameters

/// Values of objects as ADM-OSC messages.
extension ADMObjects {
    /// Returns the replies to a query for an address or a pattern.
    func answers(_ address: String) -> [(address: String, arguments: [Argument])] {
        find(address).map { ($0.address, arguments($0)) }
    }

    /// Returns the current value as ADM-OSC arguments.
    func arguments(_ target: ADMTarget) -> [Argument] {
        if target.meaning == .listener {
            let place = hub.value(hub.tree.index(ListenerParameter.xyz)).numbers
            return [0 - place[1], place[0], place[2]].map { .float(min(max($0 / unit, -1), 1)) }
        }
        guard case .object(let object, let word) = target.meaning else { return [text(hub.tree.index(SceneParameter.current))] }
        switch word {
        case .gain: return [.float(ADMGain.factor(number(.gain, object), gain))]
        case .mute: return [.int(number(.mute, object) == 0 ? 0 : 1)]
        case .name: return [text(hub.tree.index(ObjectParameter.name, object))]
        case .dMax, .dmax: return [.float(unit)]
        case .azim: return [.float(number(.azimuth, object))]
        case .elev: return [.float(number(.elevation, object))]
        // ADM-OSC's distance ends at 1; greater ones are sent as 1.
        case .dist: return [.float(min(place(object).share, 1))]
        case .aed:
            let place = place(object)
            return [.float(place.azimuth), .float(place.elevation), .float(min(place.share, 1))]
        case .x, .y, .z, .xy, .xyz:
            let position = place(object).position.inCube
            return word.axes.map { .float(Float(position[keyPath: $0])) }
        }
    }

    /// Returns the indices of the parameters that determine a target's value.
    func indices(_ target: ADMTarget) -> [Int] {
        if target.meaning == .listener { return [hub.tree.index(ListenerParameter.xyz)] + [unitIndex].compactMap(\.self) }
        guard case .object(let object, let word) = target.meaning else { return [hub.tree.index(SceneParameter.current)] }
        let unit = hub.tree.index(ObjectScale.unitDistance)
        func indices(_ parameters: ObjectParameter...) -> [Int] { parameters.map { hub.tree.index($0, object) } }
        switch word {
        case .gain: return indices(.gain)
        case .mute: return indices(.mute)
        case .name: return indices(.name)
        case .azim: return indices(.azimuth)
        case .elev: return indices(.elevation)
        case .dMax, .dmax: return [unit]
        case .dist: return indices(.distance) + [unit]
        case .aed, .x, .y, .z, .xy, .xyz: return indices(.azimuth, .elevation, .distance) + [unit]
        }
    }

    /// Returns the current position of an object.
    func place(_ object: Int) -> ADMPlace {
        ADMPlace(
            azimuth: number(.azimuth, object), elevation: number(.elevation, object), distance: number(.distance, object),
            unit: unit, distances: distances)
    }

    /// Nil where the engine has no objects.
    private var unitIndex: Int? { hub.tree.objects > 0 ? hub.tree.index(ObjectScale.unitDistance) : nil }
    /// Metres of ADM-OSC's distance of 1.
    var unit: Float { unitIndex.map { hub.value($0).numbers[0] } ?? ObjectScale.unitDistance.spec.initial.numbers[0] }
    private func number(_ parameter: ObjectParameter, _ object: Int) -> Float { hub.value(hub.tree.index(parameter, object)).numbers[0] }
    private func text(_ index: Int) -> Argument { .string(hub.value(index).text ?? "") }
}
