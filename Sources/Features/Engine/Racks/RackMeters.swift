import Hub

/// Meter readings of a rack's effects, for two readers: the parameters, and telemetry.
///
/// Reading empties the audio thread's meters, so each reading is accumulated for both readers.
struct RackMeters {
    private let rack: Int
    private var unpublished: [Int: TelemetryDelta.Slot] = [:]
    private var untaken: [Int: TelemetryDelta.Slot] = [:]

    /// - Parameter rack: as `RackPosition` counts.
    init(rack: Int) { self.rack = rack }

    /// - Parameter reading: level, linear; reduction, decibels.
    mutating func add(_ number: Int, _ reading: (level: Float, reduction: Float)) {
        let slot = TelemetryDelta.Slot(rack: rack, number: number, level: reading.level, reduction: reading.reduction)
        unpublished[number, default: slot].add(slot)
        untaken[number, default: slot].add(slot)
    }

    /// Returns the readings for the parameters, by the slots' numbers.
    mutating func takeUnpublished() -> [Int: TelemetryDelta.Slot] {
        defer { unpublished = [:] }
        return unpublished
    }

    /// Returns the readings for telemetry, in the order of the slots' numbers.
    mutating func take() -> [TelemetryDelta.Slot] {
        defer { untaken = [:] }
        return untaken.values.sorted { $0.number < $1.number }
    }
}

/// Number of times that the effects of a rack were cleared since the last query.
struct RackResets {
    private var known: [Int: (generation: Int, all: Int, nonFinite: Int)] = [:]

    /// Returns the resets of a slot since the last call, and nil without any.
    ///
    /// - Parameter counts: those since the slot's effect was made.
    mutating func new(
        _ number: Int, generation: Int, _ counts: (all: Int, nonFinite: Int)
    ) -> (all: Int, nonFinite: Int)? {
        var before = known[number] ?? (generation, 0, 0)
        if before.generation != generation { before = (generation, 0, 0) }
        guard counts.all > before.all else { return nil }
        known[number] = (generation, counts.all, counts.nonFinite)
        return (counts.all - before.all, counts.nonFinite - before.nonFinite)
    }
}
