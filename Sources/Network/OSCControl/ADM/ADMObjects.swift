internal import CRealtime
internal import Hub
internal import Parameters

/// ADM-OSC v1.0 for objects: translates its messages to parameters and back.
///
/// Used on the control thread. All changes go through the hub.
final class ADMObjects {
    let hub: Hub
    private let targets: [ADMTarget]
    let known: [String: ADMTarget]
    /// Cache of the targets that recent patterns match.
    private var patternMatches: [String: [ADMTarget]] = [:]
    private static let maximumPatterns = 256
    /// For each object, the last position set in Cartesian coordinates.
    private var statedPlaces: [ADMPlace?]
    /// For each object, the position set by the latest scheduled message, due at a CLOCK_MONOTONIC time in nanoseconds.
    private var scheduledPlaces: [(due: UInt64, place: ADMPlace)?]
    private let azimuth = ObjectParameter.azimuth.spec
    private let elevation = ObjectParameter.elevation.spec
    let gain = ObjectParameter.gain.spec
    let distances = ObjectParameter.distance.spec.range
    /// Maximum number of characters according to the specification.
    private static let maximumNameLength = 128

    init(_ hub: Hub) {
        self.hub = hub
        targets = ADMTarget.all(objects: hub.tree.objects)
        known = Dictionary(uniqueKeysWithValues: targets.map { ($0.address, $0) })
        statedPlaces = Array(repeating: nil, count: hub.tree.objects)
        scheduledPlaces = Array(repeating: nil, count: hub.tree.objects)
    }

    // MARK: Addresses

    /// Returns the targets of an address or a pattern; empty when it is not an ADM-OSC address or the object does not exist.
    func find(_ address: String) -> [ADMTarget] {
        guard address.hasPrefix(ADMTarget.root + "/") else { return [] }
        if let target = known[address] { return exists(target) ? [target] : [] }
        guard address.utf8.contains(where: Hub.isWildcard) else { return [] }
        if let found = patternMatches[address] { return found.filter(exists) }
        if patternMatches.count >= Self.maximumPatterns { patternMatches.removeAll() }
        let found = targets.filter { OSCAddressPattern.matches(address, $0.address) }
        patternMatches[address] = found
        return found.filter(exists)
    }

    /// Whether the object of a target is present; true for targets of no single object.
    func exists(_ target: ADMTarget) -> Bool {
        guard case .object(let object, _) = target.meaning else { return true }
        return hub.tree.isObjectPresent[object]
    }

    /// Returns the targets that describe everything at or below a path.
    func told(at path: String) -> [ADMTarget] {
        if let target = known[path] { return exists(target) ? [target] : [] }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        guard prefix.hasPrefix(ADMTarget.root + "/") else { return [] }
        return targets.filter { target in
            guard case .object(_, let word) = target.meaning else { return false }
            return word.isReported && exists(target) && target.address.hasPrefix(prefix)
        }
    }

    // MARK: Set

    /// Applies one message.
    /// - Returns: false, without effect, when its address has no target.
    func handle(_ message: Message, from subscriber: Subscriber?) -> Bool {
        let found = find(message.address)
        guard !found.isEmpty else { return false }
        hub.handle(message, from: subscriber) {
            for target in found { set(target, message, subscriber) }
        }
        return true
    }

    private func set(_ target: ADMTarget, _ message: Message, _ subscriber: Subscriber?) {
        do {
            for (index, arguments) in try settings(target, message, due: nil) {
                var part = message
                part.arguments = arguments
                hub.set(index, part, from: subscriber)
            }
        } catch {
            hub.notice("\(error)", from: message.sender)
        }
    }

    /// Announces a scheduled message to the renderer ahead of its time.
    /// - Returns: as ``handle(_:from:)``.
    func prepare(_ message: Message, due: UInt64) -> Bool {
        let found = find(message.address)
        for target in found {
            // Errors are reported when the message takes effect.
            for (index, arguments) in (try? settings(target, message, due: due)) ?? [] {
                hub.prepare(index, arguments, due: due)
            }
        }
        return !found.isEmpty
    }

    /// Reports to the hub on behalf of a message's sender.
    private typealias Report = (_ body: (Hub, NetworkAddress?) -> Void) -> Void

    /// Returns the parameters that a message sets, with their arguments.
    /// - Parameter due: time of a scheduled message, CLOCK_MONOTONIC nanoseconds; nil for now.
    private func settings(
        _ target: ADMTarget, _ message: Message, due: UInt64?
    ) throws(Refusal) -> [(index: Int, arguments: [Argument])] {
        let arguments = message.arguments
        // Errors of a scheduled message are reported when it takes effect.
        let report: Report? = due == nil ? { [hub] in $0(hub, message.sender) } : nil
        if target.meaning == .listener {
            guard arguments.count == 3 else { throw .wrongCount(target.address, expected: 3, found: arguments.count) }
            let place = try numbers(arguments, target.address, -1...1, report).map { $0 * unit }
            return [(hub.tree.index(ListenerParameter.xyz), [.float(place[1]), .float(0 - place[0]), .float(place[2])])]
        }
        guard case .object(let object, let word) = target.meaning else {
            return [(hub.tree.index(SceneParameter.recall), arguments)]
        }
        guard arguments.count == word.count else {
            throw .wrongCount(target.address, expected: word.count, found: arguments.count)
        }
        func index(_ parameter: ObjectParameter) -> Int { hub.tree.index(parameter, object) }
        switch word {
        case .mute: return [(index(.mute), arguments)]
        case .name: return [(index(.name), [shortened(arguments[0], target.address, report)])]
        case .dMax, .dmax: return [(hub.tree.index(ObjectScale.unitDistance), arguments)]
        case .gain:
            let factor = try numbers(arguments, target.address, 0...Float.infinity, report)[0]
            return [(index(.gain), [.float(ADMGain.decibels(factor, gain))])]
        case .azim, .elev, .dist, .aed, .x, .y, .z, .xy, .xyz:
            let place = try moved(object, word, arguments, target.address, due: due, report)
            let distance = (index(.distance), [Argument.float(place.distance)])
            switch word {
            case .azim: return [(index(.azimuth), arguments)]
            case .elev: return [(index(.elevation), arguments)]
            case .dist: return [distance]
            case .aed: return [(index(.azimuth), [arguments[0]]), (index(.elevation), [arguments[1]]), distance]
            default: return [(index(.azimuth), [.float(place.azimuth)]), (index(.elevation), [.float(place.elevation)]), distance]
            }
        }
    }

    /// Returns and stores the position of an object after a message.
    private func moved(
        _ object: Int, _ word: ADMWord, _ arguments: [Argument], _ address: String, due: UInt64?, _ report: Report?
    ) throws(Refusal) -> ADMPlace {
        var place = former(object, due: due)
        func numbers(_ range: ClosedRange<Float>, _ arguments: [Argument]) throws(Refusal) -> [Float] {
            try self.numbers(arguments, address, range, report)
        }
        // The parameters themselves handle angles out of range.
        func angle(_ index: Int, _ spec: ParameterSpec) throws(Refusal) -> Float {
            spec.bounded(try numbers(-.infinity ... .infinity, [arguments[index]])[0])
        }
        switch word {
        case .azim: place.move(azimuth: try angle(0, azimuth))
        case .elev: place.move(elevation: try angle(0, elevation))
        case .dist: place.move(share: try numbers(0...1, arguments)[0])
        case .aed:
            place.move(azimuth: try angle(0, azimuth), elevation: try angle(1, elevation), share: try numbers(0...1, [arguments[2]])[0])
        default:
            var position = place.position
            for (axis, number) in zip(word.axes, try numbers(-1...1, arguments)) { position[keyPath: axis] = Double(number) }
            place.move(to: position)
        }
        if let due { scheduledPlaces[object] = (due, place) } else { statedPlaces[object] = place }
        return place
    }

    /// Returns the position of an object before a message that takes effect at `due`. Earlier scheduled messages have taken
    /// effect by then; a position set in Cartesian coordinates is valid until another client moves the object.
    private func former(_ object: Int, due: UInt64?) -> ADMPlace {
        if let due, let next = scheduledPlaces[object], next.due <= due, next.due > rt_now() { return next.place }
        let place = place(object)
        if let before = statedPlaces[object], before.agrees(with: place) { return before }
        return place
    }

    /// Returns the numbers clamped to a range, and reports clamping as for every parameter.
    private func numbers(
        _ arguments: [Argument], _ address: String, _ range: ClosedRange<Float>, _ report: Report?
    ) throws(Refusal) -> [Float] {
        var asked: [Float] = []
        for argument in arguments { asked.append(try argument.finite(at: address)) }
        let taken = asked.map { min(max($0, range.lowerBound), range.upperBound) }
        if taken != asked { report? { $0.noticeClamped(address, asked, into: range, taken, from: $1) } }
        return taken
    }

    private func shortened(_ argument: Argument, _ address: String, _ report: Report?) -> Argument {
        guard case .string(let name) = argument, name.count > Self.maximumNameLength else { return argument }
        report? { $0.notice("\(address): the name was cut to the maximum of \(Self.maximumNameLength) characters", from: $1) }
        return .string(String(name.prefix(Self.maximumNameLength)))
    }
}

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

/// Conversion from the number in a message to the parameter's value.
enum ADMScale: Int {
    case asItIs, gain, distance
}
