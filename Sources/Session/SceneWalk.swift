public import Parameters

/// A crossfade on its way: numbers that walk to where a scene has them, each along its parameter's scale.
public struct SceneWalk: Sendable {
    /// One parameter's way.
    public struct Way: Sendable {
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

    private var ways: [String: Way]
    private let start: UInt64
    private let duration: UInt64

    /// - Parameters:
    ///   - start: CLOCK_MONOTONIC nanoseconds.
    ///   - duration: nanoseconds.
    public init(_ ways: [Way], start: UInt64, duration: UInt64) {
        self.ways = Dictionary(ways.map { ($0.address, $0) }) { _, last in last }
        self.start = start
        self.duration = duration
    }

    /// How much of the way is done at a time, 0 to 1.
    public func share(_ now: UInt64) -> Float {
        guard now > start else { return duration == 0 ? 1 : 0 }
        return now - start >= duration ? 1 : Float(Double(now - start) / Double(duration))
    }

    /// Where everything is at a time.
    public func values(_ now: UInt64) -> [(address: String, value: Float)] {
        let share = share(now)
        return ways.values.map { ($0.address, $0.spec.between($0.from, $0.to, share)) }
    }

    /// Leaves a parameter to the hand that has moved it.
    /// - Returns: whether it was on its way.
    @discardableResult
    public mutating func release(_ address: String) -> Bool { ways.removeValue(forKey: address) != nil }

    /// The same for everything below a container.
    @discardableResult
    public mutating func release(below container: String) -> Bool {
        let count = ways.count
        ways = ways.filter { !$0.key.hasPrefix(container) }
        return ways.count < count
    }

    public var isEmpty: Bool { ways.isEmpty }
}
