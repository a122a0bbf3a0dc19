/// Finds the elements of an old row in a new one, in the same order: a longest common subsequence by weight.
enum Matching {
    /// - Parameter weight: similarity of element `old` of the old row and `new` of the new one; 0 means different.
    static func best(_ old: Int, _ new: Int, weight: (Int, Int) -> Int) -> [(old: Int, new: Int)] {
        var best = [[Int]](repeating: .init(repeating: 0, count: new + 1), count: old + 1)
        for i in (0..<old).reversed() {
            for j in (0..<new).reversed() {
                let own = weight(i, j)
                best[i][j] = max(best[i + 1][j], best[i][j + 1], own > 0 ? own + best[i + 1][j + 1] : 0)
            }
        }
        var pairs: [(old: Int, new: Int)] = []
        var (i, j) = (0, 0)
        while i < old && j < new {
            let own = weight(i, j)
            if own > 0 && best[i][j] == own + best[i + 1][j + 1] {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if best[i][j] == best[i + 1][j] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    /// Returns the new row, with removed elements of the old row still at their positions.
    static func merge<Item, Wish>(
        _ pairs: [(old: Int, new: Int)], old: [Item], new: [Wish], leave: (Item) -> Void, enter: (Wish) -> Item,
        keep: (Item, Wish) -> Void
    ) -> [Item] {
        var result: [Item] = []
        var (i, j) = (0, 0)
        func advance(_ oldEnd: Int, _ newEnd: Int) {
            for item in old[i..<oldEnd] {
                leave(item)
                result.append(item)
            }
            result += new[j..<newEnd].map(enter)
        }
        for pair in pairs {
            advance(pair.old, pair.new)
            keep(old[pair.old], new[pair.new])
            result.append(old[pair.old])
            (i, j) = (pair.old + 1, pair.new + 1)
        }
        advance(old.count, new.count)
        return result
    }
}
