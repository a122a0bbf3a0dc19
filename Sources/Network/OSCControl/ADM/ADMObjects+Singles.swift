internal import Hub
internal import Parameters

/// Fast path for messages of one number that set one parameter, which arrive thousands of times per second.
extension ADMObjects {
    /// Returns the parameter that a message of one number sets on its own, and its conversion; nil for every other address.
    func single(_ address: String) -> (index: Int, scale: ADMScale)? {
        guard let target = known[address], exists(target), case .object(let object, let word) = target.meaning else { return nil }
        switch word {
        case .azim: return (hub.tree.index(ObjectParameter.azimuth, object), .asItIs)
        case .elev: return (hub.tree.index(ObjectParameter.elevation, object), .asItIs)
        case .mute: return (hub.tree.index(ObjectParameter.mute, object), .asItIs)
        case .gain: return (hub.tree.index(ObjectParameter.gain, object), .gain)
        case .dist: return (hub.tree.index(ObjectParameter.distance, object), .distance)
        default: return nil
        }
    }

    /// - Returns: the parameter value; nil when out of range, which the general path then handles and reports.
    func scaled(_ number: Float, _ scale: ADMScale) -> Float? {
        switch scale {
        case .asItIs: number
        case .gain: number >= 0 && number.isFinite ? ADMGain.decibels(number, gain) : nil
        case .distance: (0...1).contains(number) ? min(max(number * unit, distances.lowerBound), distances.upperBound) : nil
        }
    }
}
