/// Which of the rows that stood side by side before each of the present ones is.
enum BranchMatch {
    /// - Parameters:
    ///   - rows: the slots of each present row; `old`: those of the rows before.
    /// - Returns: for each present row the place of the old one, nil for a new one. In rising order: rows that have
    ///   changed places with each other keep their numbers instead, like parameters that get each other's values.
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
