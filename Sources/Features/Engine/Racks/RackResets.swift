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
