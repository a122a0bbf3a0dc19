internal import Hub
internal import Parameters

/// What comes thousands of times a second: one number that sets one parameter.
extension ADMObjects {
    /// The parameter that a message of one number sets by itself, and how; nil for every other address.
    func single(_ address: String) -> (slot: Int, scale: ADMScale)? {
        guard case .object(let object, let word)? = known[address]?.meaning else { return nil }
        switch word {
        case .azim: return (hub.tree.slot(ObjectParameter.azimuth, object), .asItIs)
        case .elev: return (hub.tree.slot(ObjectParameter.elevation, object), .asItIs)
        case .mute: return (hub.tree.slot(ObjectParameter.mute, object), .asItIs)
        case .gain: return (hub.tree.slot(ObjectParameter.gain, object), .gain)
        case .dist: return (hub.tree.slot(ObjectParameter.distance, object), .distance)
        default: return nil
        }
    }

    /// - Returns: nil for what is out of range, so that it is looked at as a whole.
    func scaled(_ number: Float, _ scale: ADMScale) -> Float? {
        switch scale {
        case .asItIs: number
        case .gain: number >= 0 && number.isFinite ? ADMGain.decibels(number, gain) : nil
        case .distance: (0...1).contains(number) ? min(max(number * unit, distances.lowerBound), distances.upperBound) : nil
        }
    }
}
