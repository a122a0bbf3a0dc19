/// Settings of a rack as a whole, beside the effects that are heard.
public struct RackState: Sendable, Equatable {
    /// The two sides of a rack, complete arrangements of effects, of which one is heard.
    public enum Side: Int, CaseIterable, Sendable {
        case a, b

        public var name: String { self == .a ? "A" : "B" }
        public var opposite: Side { self == .a ? .b : .a }
    }

    /// Whether the sound passes all effects unchanged.
    public var isBypassed = false
    /// The side that is heard.
    public var side = Side.a
    /// The effects of the other side; nil as long as it has not been used.
    public var other: [RackDescription.Place]?

    public init() {}
}
