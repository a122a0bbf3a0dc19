internal import CRealtime
internal import Hub
internal import Parameters

/// ADM-OSC v1.0 for objects: its addresses, translated into the house's parameters and back.
///
/// Lives on the control thread. What it sets goes through the hub as everything does.
final class ADMObjects {
    let hub: Hub
    private let targets: [ADMTarget]
    let known: [String: ADMTarget]
    /// What patterns that came lately reach.
    private var reached: [String: [ADMTarget]] = [:]
    private static let mostPatterns = 256
    /// Of each object, what was last said in Cartesian words.
    private var said: [ADMPlace?]
    /// Of each object, where it will be by what was said ahead of its time, CLOCK_MONOTONIC nanoseconds.
    private var ahead: [(due: UInt64, place: ADMPlace)?]
    private let azimuth = ObjectParameter.azimuth.spec
    private let elevation = ObjectParameter.elevation.spec
    let gain = ObjectParameter.gain.spec
    let distances = ObjectParameter.distance.spec.range
    /// Characters, as the specification has it.
    private static let longestName = 128

    init(_ hub: Hub) {
        self.hub = hub
        targets = ADMTarget.all(objects: hub.tree.objects)
        known = Dictionary(uniqueKeysWithValues: targets.map { ($0.address, $0) })
        said = Array(repeating: nil, count: hub.tree.objects)
        ahead = Array(repeating: nil, count: hub.tree.objects)
    }

    // MARK: What addresses mean

    /// What an address or a pattern means; nothing when it is none of ADM-OSC's, or of an object that is not there.
    func find(_ address: String) -> [ADMTarget] {
        guard address.hasPrefix(ADMTarget.root + "/") else { return [] }
        if let target = known[address] { return [target] }
        guard address.utf8.contains(where: Hub.isWildcard) else { return [] }
        if let found = reached[address] { return found }
        if reached.count >= Self.mostPatterns { reached.removeAll() }
        let found = targets.filter { OSCAddressPattern.matches(address, $0.address) }
        reached[address] = found
        return found
    }

    /// What tells everything at or below a path.
    func told(at path: String) -> [ADMTarget] {
        if let target = known[path] { return [target] }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        guard prefix.hasPrefix(ADMTarget.root + "/") else { return [] }
        return targets.filter { target in
            guard case .object(_, let word) = target.meaning else { return false }
            return word.isTold && target.address.hasPrefix(prefix)
        }
    }

    // MARK: Set

    /// Applies one message.
    /// - Returns: false, having done nothing, when its address means nothing here.
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
            for (slot, arguments) in try settings(target, message.arguments, due: nil) {
                var part = message
                part.arguments = arguments
                hub.set(slot, part, from: subscriber)
            }
        } catch {
            hub.notice("\(error)")
        }
    }

    /// Tells the renderer of a message ahead of its time.
    /// - Returns: as ``handle(_:from:)``.
    func prepare(_ message: Message, due: UInt64) -> Bool {
        let found = find(message.address)
        for target in found {
            // What is wrong with it is said when its time has come.
            for (slot, arguments) in (try? settings(target, message.arguments, due: due)) ?? [] {
                hub.prepare(slot, arguments, due: due)
            }
        }
        return !found.isEmpty
    }

    /// What a message sets.
    /// - Parameter due: when, for what is told ahead; nil for now.
    private func settings(
        _ target: ADMTarget, _ arguments: [Argument], due: UInt64?
    ) throws(Refusal) -> [(slot: Int, arguments: [Argument])] {
        guard case .object(let object, let word) = target.meaning else {
            return [(hub.tree.slot(SceneParameter.recall), arguments)]
        }
        guard arguments.count == word.count else {
            throw .wrongCount(target.address, expected: word.count, found: arguments.count)
        }
        func slot(_ parameter: ObjectParameter) -> Int { hub.tree.slot(parameter, object) }
        switch word {
        case .mute: return [(slot(.mute), arguments)]
        case .name: return [(slot(.name), [shortened(arguments[0], target.address, isSaid: due == nil)])]
        case .dMax, .dmax: return [(hub.tree.slot(ObjectScale.unitDistance), arguments)]
        case .gain:
            let factor = try numbers(arguments, target.address, 0...Float.infinity, isSaid: due == nil)[0]
            return [(slot(.gain), [.float(ADMGain.decibels(factor, gain))])]
        case .azim, .elev, .dist, .aed, .x, .y, .z, .xy, .xyz:
            let place = try moved(object, word, arguments, target.address, due: due)
            let distance = (slot(.distance), [Argument.float(place.distance)])
            switch word {
            case .azim: return [(slot(.azimuth), arguments)]
            case .elev: return [(slot(.elevation), arguments)]
            case .dist: return [distance]
            case .aed: return [(slot(.azimuth), [arguments[0]]), (slot(.elevation), [arguments[1]]), distance]
            default: return [(slot(.azimuth), [.float(place.azimuth)]), (slot(.elevation), [.float(place.elevation)]), distance]
            }
        }
    }

    /// Where an object is after a message, which is kept in mind.
    private func moved(
        _ object: Int, _ word: ADMWord, _ arguments: [Argument], _ address: String, due: UInt64?
    ) throws(Refusal) -> ADMPlace {
        var place = former(object, due: due)
        func numbers(_ range: ClosedRange<Float>, _ arguments: [Argument]) throws(Refusal) -> [Float] {
            try self.numbers(arguments, address, range, isSaid: due == nil)
        }
        // Angles out of range are the parameters' own matter.
        func angle(_ index: Int, _ spec: ParameterSpec) throws(Refusal) -> Float {
            spec.clamped(try numbers(-.infinity ... .infinity, [arguments[index]])[0])
        }
        switch word {
        case .azim: place.go(azimuth: try angle(0, azimuth))
        case .elev: place.go(elevation: try angle(0, elevation))
        case .dist: place.go(share: try numbers(0...1, arguments)[0])
        case .aed:
            place.go(azimuth: try angle(0, azimuth), elevation: try angle(1, elevation), share: try numbers(0...1, [arguments[2]])[0])
        default:
            var position = place.position
            for (axis, number) in zip(word.axes, try numbers(-1...1, arguments)) { position[keyPath: axis] = Double(number) }
            place.go(to: position)
        }
        if let due { ahead[object] = (due, place) } else { said[object] = place }
        return place
    }

    /// Where an object is before a message that counts from `due` on: what was said ahead is true by then, and what was said in
    /// Cartesian words is true until somebody else moves the object.
    private func former(_ object: Int, due: UInt64?) -> ADMPlace {
        if let due, let next = ahead[object], next.due <= due, next.due > rt_now() { return next.place }
        let place = place(object)
        if let before = said[object], before.agrees(with: place) { return before }
        return place
    }

    /// Numbers, brought into a range; that is said as it is of every parameter.
    private func numbers(
        _ arguments: [Argument], _ address: String, _ range: ClosedRange<Float>, isSaid: Bool
    ) throws(Refusal) -> [Float] {
        var asked: [Float] = []
        for argument in arguments {
            guard let number = argument.number else { throw .wrongType(address, expected: "numbers") }
            guard number.isFinite else { throw .notFinite(address) }
            asked.append(number)
        }
        let taken = asked.map { min(max($0, range.lowerBound), range.upperBound) }
        if isSaid, taken != asked { hub.noticeClamped(address, asked, into: range, taken) }
        return taken
    }

    private func shortened(_ argument: Argument, _ address: String, isSaid: Bool) -> Argument {
        guard case .string(let name) = argument, name.count > Self.longestName else { return argument }
        if isSaid { hub.notice("\(address): a name has \(Self.longestName) characters at most; the first of them were taken") }
        return .string(String(name.prefix(Self.longestName)))
    }
}
