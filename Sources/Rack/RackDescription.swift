public import Effects

/// What a rack is made of: effects in a row, some places of which hold branches side by side. Plain values.
public struct RackDescription: Sendable, Equatable {
    /// How many effects a rack holds at most.
    public static let capacity = 16

    /// One effect in its place.
    public struct Slot: Sendable, Equatable {
        public var kind: EffectKind
        /// By which a live rack knows it, 1 to ``capacity``; nil for any that is free.
        public var number: Int?
        /// What comes goes on untouched; what is still sounding rings out.
        public var bypass = false
        /// Share of the effect in what goes on, 0 to 1.
        public var mix: Float = 1
        /// A number for each parameter that is one.
        public var values: [Float]
        /// What the others hold, by name.
        public var texts: [String: String] = [:]
        /// What a session brought along that this program does not know, and writes again: beside the fields above, and
        /// beside the effect's parameters.
        public var unknown: [String: JSON] = [:]
        public var unknownParameters: [String: JSON] = [:]

        public init(_ kind: EffectKind) {
            self.kind = kind
            values = kind.initial
        }
    }

    /// One place of the row.
    public enum Place: Sendable, Equatable {
        case slot(Slot)
        /// Rows side by side, each with the factor with which it is added.
        case branches([[Slot]], mix: [Float])
    }

    public var places: [Place]
    /// What a session brought along that this program does not know, and writes again.
    public var unknown: [String: JSON] = [:]

    public init(_ places: [Place] = []) { self.places = places }

    /// Every effect, in the order of the file.
    public var slots: [Slot] {
        places.flatMap { place in
            switch place {
            case .slot(let slot): [slot]
            case .branches(let branches, _): branches.flatMap(\.self)
            }
        }
    }
}
