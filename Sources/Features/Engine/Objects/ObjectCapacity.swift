import Parameters

/// Number of objects that a room or an HRTF is made for: enough for the highest number that exists, in steps of powers of two, so that
/// rooms and HRTFs are seldom rebuilt.
struct ObjectCapacity: Equatable {
    private static let least = 8
    private(set) var count: Int

    init(_ tree: ParameterTree) { count = Self.needed(tree) }

    /// Adapts to the existing objects; shrinks only when a quarter or less is needed.
    mutating func follow(_ tree: ParameterTree) {
        let needed = Self.needed(tree)
        if needed > count || needed <= count / 4 { count = needed }
    }

    private static func needed(_ tree: ParameterTree) -> Int {
        let highest = (tree.isObjectPresent.lastIndex(of: true) ?? -1) + 1
        var count = least
        while count < highest { count *= 2 }
        return min(count, tree.objects)
    }
}
