import Effects
import Rack

/// The words for a change of a rack's layout: which effects were removed, or which one was moved.
struct RackMove {
    private typealias Places = [[[Int]]]

    let before: RackDescription
    let after: RackDescription

    /// "Remove Gate", "Move Gate", or "Rearrange effects" when more than one was moved.
    var words: String {
        let kept = Set(after.slots.compactMap(\.number))
        let removed = before.slots.filter { $0.number.map { !kept.contains($0) } ?? false }
        if !removed.isEmpty { return "Remove " + removed.map(Self.name).joined(separator: ", ") }
        let (old, new) = (Self.places(before), Self.places(after))
        let moved = after.slots.first { slot in
            slot.number.map { Self.without($0, old) == Self.without($0, new) } ?? false
        }
        return moved.map { "Move \(Self.name($0))" } ?? "Rearrange effects"
    }

    /// The name of an effect as the panel shows it.
    private static func name(_ slot: RackDescription.Slot) -> String {
        let words = slot.kind.name.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Numbers of the slots by place, row and column.
    private static func places(_ rack: RackDescription) -> Places {
        rack.places.map { place in
            switch place {
            case .slot(let slot): [[slot.number].compactMap { $0 }]
            case .branches(let rows, _): rows.map { $0.compactMap(\.number) }
            }
        }
    }

    /// The places without a slot; empty rows are removed, and a single remaining row is no longer parallel.
    private static func without(_ number: Int, _ places: Places) -> Places {
        places.flatMap { rows -> Places in
            let rest = rows.map { $0.filter { $0 != number } }
            let filled = zip(rows, rest).filter { row, left in row.isEmpty || !left.isEmpty }.map(\.1)
            return filled.count > 1 ? [filled] : (filled.first ?? []).map { [[$0]] }
        }
    }
}
