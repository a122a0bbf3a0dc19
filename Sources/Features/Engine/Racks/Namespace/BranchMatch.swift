/// Matches the current branches of a rack with its former ones.
enum BranchMatch {
    /// Returns, for each present branch, the position of the matching former branch; nil for a new branch.
    ///
    /// The positions rise. If branches have changed places, every position keeps its branch instead, as if the branches had exchanged their
    /// contents.
    ///
    /// - Parameters:
    ///   - rows: slots of each present branch; `old`: slots of each former branch.
    static func places(of rows: [[Int]], among old: [[Int]]) -> [Int?] {
        var free = Set(old.indices)
        let found = rows.map { slots -> Int? in
            let place = old.indices.first { i in
                free.contains(i) && (slots.isEmpty ? old[i].isEmpty : !Set(slots).isDisjoint(with: old[i]))
            }
            if let place { free.remove(place) }
            return place
        }
        let places = found.compactMap(\.self)
        guard zip(places, places.dropFirst()).allSatisfy(<) else {
            return rows.indices.map { $0 < old.count ? $0 : nil }
        }
        return found
    }
}
