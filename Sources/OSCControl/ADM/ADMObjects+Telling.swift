internal import Hub
internal import Parameters

/// How objects are, in ADM-OSC's words.
extension ADMObjects {
    /// What an address or a pattern is answered with.
    func answers(_ address: String) -> [(address: String, arguments: [Argument])] {
        find(address).map { ($0.address, arguments($0)) }
    }

    /// As ADM-OSC says it now.
    func arguments(_ target: ADMTarget) -> [Argument] {
        guard case .object(let object, let word) = target.meaning else { return [text(hub.tree.slot(SceneParameter.current))] }
        switch word {
        case .gain: return [.float(ADMGain.factor(number(.gain, object), gain))]
        case .mute: return [.int(number(.mute, object) == 0 ? 0 : 1)]
        case .name: return [text(hub.tree.slot(ObjectParameter.name, object))]
        case .dMax, .dmax: return [.float(unit)]
        case .azim: return [.float(number(.azimuth, object))]
        case .elev: return [.float(number(.elevation, object))]
        // What is farther than it can say is at its end.
        case .dist: return [.float(min(place(object).share, 1))]
        case .aed:
            let place = place(object)
            return [.float(place.azimuth), .float(place.elevation), .float(min(place.share, 1))]
        case .x, .y, .z, .xy, .xyz:
            let position = place(object).position.inCube
            return word.axes.map { .float(Float(position[keyPath: $0])) }
        }
    }

    /// The parameters that decide what is told.
    func slots(_ target: ADMTarget) -> [Int] {
        guard case .object(let object, let word) = target.meaning else { return [hub.tree.slot(SceneParameter.current)] }
        let unit = hub.tree.slot(ObjectScale.unitDistance)
        func slots(_ parameters: ObjectParameter...) -> [Int] { parameters.map { hub.tree.slot($0, object) } }
        switch word {
        case .gain: return slots(.gain)
        case .mute: return slots(.mute)
        case .name: return slots(.name)
        case .azim: return slots(.azimuth)
        case .elev: return slots(.elevation)
        case .dMax, .dmax: return [unit]
        case .dist: return slots(.distance) + [unit]
        case .aed, .x, .y, .z, .xy, .xyz: return slots(.azimuth, .elevation, .distance) + [unit]
        }
    }

    /// Where an object stands now.
    func place(_ object: Int) -> ADMPlace {
        ADMPlace(
            azimuth: number(.azimuth, object), elevation: number(.elevation, object), distance: number(.distance, object),
            unit: unit, distances: distances)
    }

    var unit: Float { hub.value(hub.tree.slot(ObjectScale.unitDistance)).numbers[0] }
    private func number(_ parameter: ObjectParameter, _ object: Int) -> Float { hub.value(hub.tree.slot(parameter, object)).numbers[0] }
    private func text(_ slot: Int) -> Argument { .string(hub.value(slot).text ?? "") }
}
