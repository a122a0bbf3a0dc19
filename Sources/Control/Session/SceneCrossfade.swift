internal import Effects
public import Parameters
public import Rack

/// A crossfade to a scene: numbers that move to the scene's values, each along its parameter's scale.
public struct SceneCrossfade: Sendable {
    /// The start and the end of one parameter.
    public struct Change: Sendable {
        public var address: String
        public var spec: ParameterSpec
        public var from: Float
        public var to: Float

        public init(address: String, spec: ParameterSpec, from: Float, to: Float) {
            self.address = address
            self.spec = spec
            self.from = from
            self.to = to
        }
    }

    private var changes: [String: Change]
    private let start: UInt64
    private let duration: UInt64

    /// - Parameters:
    ///   - start: CLOCK_MONOTONIC nanoseconds.
    ///   - duration: nanoseconds.
    public init(_ changes: [Change], start: UInt64, duration: UInt64) {
        self.changes = Dictionary(changes.map { ($0.address, $0) }) { _, last in last }
        self.start = start
        self.duration = duration
    }

    /// Progress at a time, 0 to 1.
    public func progress(_ now: UInt64) -> Float {
        guard now > start else { return duration == 0 ? 1 : 0 }
        return now - start >= duration ? 1 : Float(Double(now - start) / Double(duration))
    }

    /// Values of all parameters at a time.
    public func values(_ now: UInt64) -> [(address: String, value: Float)] {
        let progress = progress(now)
        return changes.values.map { ($0.address, $0.spec.between($0.from, $0.to, progress)) }
    }

    /// Takes a parameter out of the crossfade because a client has set it.
    /// - Returns: whether the crossfade was moving it.
    @discardableResult
    public mutating func release(_ address: String) -> Bool { changes.removeValue(forKey: address) != nil }

    /// Takes all parameters below a container out of the crossfade.
    /// - Returns: whether the crossfade was moving any of them.
    @discardableResult
    public mutating func release(below container: String) -> Bool {
        let count = changes.count
        changes = changes.filter { !$0.key.hasPrefix(container) }
        return changes.count < count
    }

    public var isEmpty: Bool { changes.isEmpty }
}

/// The transition from one rack to another: effects change at once, their settings may crossfade.
public enum RackTransition {
    /// The new rack, with the current settings of the effects that stay the same.
    public static func start(from old: RackDescription, to new: RackDescription) -> RackDescription {
        let (before, after) = (RackModel(old), RackModel(new))
        var start = after
        for (number, slot) in after.slots {
            guard let was = before.slots[number]?.description, was.kind == slot.description.kind else { continue }
            start.edit(number) { slot in
                slot.values = was.values
                slot.mix = was.mix
                slot.bypass = was.bypass
            }
        }
        if before.layout == after.layout {
            for (i, branch) in before.branches.enumerated() { start.set(mix: branch.mix, branch: i) }
        }
        return start.description
    }

    /// Every setting of a rack, by its address.
    /// - Parameter container: of the rack.
    public static func settings(_ rack: RackDescription, in container: String) -> [(address: String, value: ParameterValue)] {
        let model = RackModel(rack)
        var settings: [(address: String, value: ParameterValue)] = []
        for (number, slot) in model.slots.sorted(by: { $0.key < $1.key }) {
            let (description, place) = (slot.description, container + RackSlotParameter.container(number - 1))
            settings.append(("\(place)/\(RackSlotParameter.bypass.leaf)", .number(description.bypass ? 1 : 0)))
            settings.append(("\(place)/\(RackSlotParameter.mix.leaf)", .number(description.mix)))
            for (i, parameter) in description.kind.parameters.enumerated() where parameter.spec.isScalar {
                settings.append(("\(place)/\(description.kind.name)/\(parameter.name)", .number(description.values[i])))
            }
        }
        for (i, branch) in model.branches.enumerated() {
            settings.append(("\(container)\(RackBranchParameter.container(i))/\(RackBranchParameter.mix.leaf)", .number(branch.mix)))
        }
        return settings
    }
}
