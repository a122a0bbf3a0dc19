public import Effects

/// Editable model of a rack: numbered slots and their arrangement. A slot keeps its number when it moves, so that
/// remote controls keep their target. A plain value without sound.
public struct RackModel: Sendable, Equatable {
    public struct Slot: Sendable, Equatable {
        public var description: RackDescription.Slot
        /// Number that no other effect in this rack has or had.
        public fileprivate(set) var generation: Int
    }

    public struct Row: Sendable, Equatable {
        public var slots: [Int]
        /// Gain factor of the row among its parallel ones.
        public var mix: Float
    }

    public enum Place: Sendable, Equatable {
        case slot(Int)
        case rows([Row])
    }

    /// Slots by number, 1 to ``RackDescription/capacity``.
    public private(set) var slots: [Int: Slot] = [:]
    public private(set) var places: [Place] = []
    public var state = RackState()
    private var generations = 0
    /// Unknown fields of the whole rack, see ``RackDescription/unknown``.
    private var unknown: [String: JSON] = [:]

    public init() {}

    /// Creates the model of a rack. Slots without a number in the description get the lowest free ones in order.
    public init(_ description: RackDescription) {
        load(description)
    }

    /// Replaces all contents.
    public mutating func load(_ description: RackDescription) {
        slots = [:]
        unknown = description.unknown
        state = description.state
        let taken = Set(description.slots.compactMap(\.number))
        func add(_ slot: RackDescription.Slot) -> Int {
            let number = slot.number ?? lowestFree(besides: taken)
            put(slot, number)
            return number
        }
        places = description.places.map { place in
            switch place {
            case .slot(let slot): .slot(add(slot))
            case .branches(let rows, let mix): .rows(zip(rows, mix).map { Row(slots: $0.map(add), mix: $1) })
            }
        }
    }

    /// Like ``load(_:)``, but keeps matching slots running: a slot with the same effect only gets new settings.
    public mutating func restore(_ description: RackDescription) {
        let before = slots
        load(description)
        for (number, slot) in slots {
            guard let old = before[number], !slot.description.takesNewInstance(after: old.description) else { continue }
            slots[number]?.generation = old.generation
        }
    }

    private func lowestFree(besides taken: Set<Int> = []) -> Int {
        (1...).first { slots[$0] == nil && !taken.contains($0) }!
    }

    private mutating func put(_ slot: RackDescription.Slot, _ number: Int) {
        generations += 1
        var slot = slot
        slot.number = number
        slots[number] = Slot(description: slot, generation: generations)
    }

    /// The rack as stored in files.
    public var description: RackDescription {
        func slot(_ number: Int) -> RackDescription.Slot { slots[number]!.description }
        var description = RackDescription(
            places.map { place in
                switch place {
                case .slot(let number): .slot(slot(number))
                case .rows(let rows): .branches(rows.map { $0.slots.map(slot) }, mix: rows.map(\.mix))
                }
            })
        description.unknown = unknown
        description.state = state
        return description
    }

    public var layout: RackLayout {
        RackLayout(
            places.map { place in
                switch place {
                case .slot(let number): .slot(number)
                case .rows(let rows): .rows(rows.map(\.slots))
                }
            })
    }

    // MARK: Edits

    /// Appends an effect.
    /// - Returns: the number of its slot.
    public mutating func add(_ kind: EffectKind) throws(RackError) -> Int {
        guard slots.count < RackDescription.capacity else {
            throw RackError("the rack has \(RackDescription.capacity) effects already; remove one first")
        }
        let number = lowestFree()
        put(.init(kind), number)
        places.append(.slot(number))
        return number
    }

    public mutating func remove(_ number: Int) throws(RackError) {
        try check(number)
        try arrange(
            RackLayout(
                layout.places.compactMap { place in
                    switch place {
                    case .slot(let other): other == number ? nil : place
                    case .rows(let rows): .rows(rows.map { $0.filter { $0 != number } })
                    }
                }))
    }

    /// Replaces the effect of a slot by another with initial settings.
    public mutating func replace(_ number: Int, by kind: EffectKind) throws(RackError) {
        try check(number)
        put(.init(kind), number)
    }

    /// Rearranges the slots. Slots missing in the layout are removed; rows keep their mix while one of their slots
    /// remains.
    public mutating func arrange(_ layout: RackLayout) throws(RackError) {
        let numbers = layout.slots
        for number in numbers { try check(number) }
        let old = branches
        places = layout.places.map { place in
            switch place {
            case .slot(let number): .slot(number)
            case .rows(let rows):
                .rows(
                    rows.map { slots in
                        let before = old.first { slots.isEmpty ? $0.slots.isEmpty : !Set($0.slots).isDisjoint(with: slots) }
                        return Row(slots: slots, mix: before?.mix ?? 1 / Float(rows.count))
                    })
            }
        }
        slots = slots.filter { numbers.contains($0.key) }
    }

    private func check(_ number: Int) throws(RackError) {
        guard slots[number] == nil else { return }
        let there = slots.isEmpty ? "it is empty" : "it has \(slots.keys.sorted().map(String.init).joined(separator: ", "))"
        throw RackError("the rack has no slot \(number); \(there)")
    }

    /// Changes settings of a slot that do not affect its position.
    public mutating func edit(_ number: Int, _ body: (inout RackDescription.Slot) -> Void) {
        guard slots[number] != nil else { return }
        body(&slots[number]!.description)
    }

    /// Like ``edit(_:_:)``, for settings that require a new instance of the effect.
    public mutating func renew(_ number: Int, _ body: (inout RackDescription.Slot) -> Void) {
        guard var slot = slots[number]?.description else { return }
        body(&slot)
        put(slot, number)
    }

    /// Reverts a slot to its state before ``renew(_:_:)``; other settings changed since are kept.
    public mutating func takeBack(_ number: Int, to old: Slot) {
        slots[number]?.description.texts = old.description.texts
        slots[number]?.generation = old.generation
    }

    /// Parallel rows in order; the index counts through the whole rack from 0.
    public var branches: [Row] {
        places.flatMap { place -> [Row] in
            if case .rows(let rows) = place { rows } else { [] }
        }
    }

    public mutating func set(mix: Float, branch: Int) {
        var next = 0
        for (i, place) in places.enumerated() {
            guard case .rows(var rows) = place else { continue }
            if rows.indices.contains(branch - next) {
                rows[branch - next].mix = mix
                places[i] = .rows(rows)
            }
            next += rows.count
        }
    }
}

/// Reason why a rack was not changed, and how to correct it.
public struct RackError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
