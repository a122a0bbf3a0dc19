public import Effects
public import RackCore

/// Contents of a rack: effects in a row, with parallel branches at some places. A plain value.
public struct RackDescription: Sendable, Equatable {
    /// Maximum number of effects in a rack.
    public static let capacity = 16
    /// Maximum number of parallel rows in a rack, including empty ones: each has memory for its delay.
    public static let mostRows = 32

    /// One effect and its settings.
    public struct Slot: Sendable, Equatable {
        public var kind: EffectKind
        /// Number of the slot in a live rack, 1 to ``capacity``; nil for any free one.
        public var number: Int?
        /// Whether the input passes unchanged while the effect rings out.
        public var bypass = false
        /// Share of the effect in the output, 0 to 1, by the law that the effect declares.
        public var mix: Float
        /// Value of each numeric parameter.
        public var values: [Float]
        /// Values of the other parameters by name.
        public var texts: [String: String] = [:]
        /// Unknown fields of a session file, preserved when writing: those of the slot and those of the effect's
        /// parameters.
        public var unknown: [String: JSON] = [:]
        public var unknownParameters: [String: JSON] = [:]

        public init(_ kind: EffectKind) {
            self.kind = kind
            mix = kind.wetDry.initial
            values = kind.initial
        }

        /// Whether the change from the settings `old` to these requires a new instance of the effect.
        func takesNewInstance(after old: Slot) -> Bool {
            kind != old.kind || texts != old.texts
                || values.indices.contains { kind.parameters[$0].rebuilds && values[$0] != old.values[$0] }
        }
    }

    /// One place in the row.
    public enum Place: Sendable, Equatable {
        case slot(Slot)
        /// Parallel rows, each with its gain factor.
        case branches([[Slot]], mix: [Float])
    }

    public var places: [Place]
    public var state = RackState()
    /// Unknown fields of a session file, preserved when writing.
    public var unknown: [String: JSON] = [:]

    public init(_ places: [Place] = []) { self.places = places }

    /// Number of rows in parallel, at most ``mostRows`` in a rack that can be loaded.
    public var rows: Int {
        places.reduce(0) { sum, place in
            if case .branches(let branches, _) = place { sum + branches.count } else { sum }
        }
    }

    /// All effects that are heard, in the order of the file.
    public var slots: [Slot] { Self.slots(places) }

    /// The effects of both sides.
    public var allSlots: [Slot] { slots + Self.slots(state.other ?? []) }

    /// The rack with its sides exchanged; a side that has not been used begins as a copy of the other.
    public var switched: RackDescription {
        var rack = self
        rack.places = state.other ?? places
        rack.state.other = places
        rack.state.side = state.side.opposite
        return rack
    }

    /// The rack with each effect of both sides replaced.
    public func mapSlots(_ transform: (Slot) -> Slot) -> RackDescription {
        func mapped(_ places: [Place]) -> [Place] {
            places.map { place in
                switch place {
                case .slot(let slot): .slot(transform(slot))
                case .branches(let rows, let mix): .branches(rows.map { $0.map(transform) }, mix: mix)
                }
            }
        }
        var rack = self
        rack.places = mapped(places)
        rack.state.other = state.other.map(mapped)
        return rack
    }

    private static func slots(_ places: [Place]) -> [Slot] {
        places.flatMap { place in
            switch place {
            case .slot(let slot): [slot]
            case .branches(let branches, _): branches.flatMap(\.self)
            }
        }
    }
}

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

extension RackSlot {
    /// - Parameter enters: whether the slot is added to running sound and fades in.
    public init(
        _ slot: RackDescription.Slot, rate: Float, largestBlock: Int, response: ResponseSpectra? = nil, enters: Bool = false
    ) {
        self.init(
            slot.kind, values: slot.values, mix: slot.mix, bypass: slot.bypass, rate: rate, largestBlock: largestBlock,
            response: response, enters: enters)
    }
}
