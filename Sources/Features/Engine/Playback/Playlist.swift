import Parameters

/// Names of recordings in the order in which they play, and the place of the current one.
struct Playlist: Equatable {
    private(set) var names: [String] = []
    /// Place of the current recording, from 0; nil when it is not in the list.
    private(set) var place: Int?
    /// Place of the recording that comes next, because the current one was removed from the list.
    private var resume: Int?

    /// Whether the list decides about the recording after the current one.
    var isInUse: Bool { place != nil || resume != nil }

    /// Exchanges all names; `isPresent` returns whether a name is that of the loaded recording.
    mutating func set(_ coming: [String], isPresent: (String) -> Bool) {
        guard coming != names else { return }
        let former = place ?? resume
        names = coming
        if let place, place < names.count, isPresent(names[place]) { return }
        place = nearest(to: former ?? 0, isPresent)
        resume = place == nil && !names.isEmpty ? former.map { min($0, names.count) } : nil
    }

    /// Notes which recording is loaded.
    mutating func locate(_ isPresent: (String) -> Bool) {
        if let place, isPresent(names[place]) { return }
        place = nearest(to: 0, isPresent)
        resume = nil
    }

    /// Makes a place the current one.
    mutating func go(to place: Int) { (self.place, resume) = (place, nil) }

    private func nearest(to place: Int, _ isPresent: (String) -> Bool) -> Int? {
        names.indices.filter { isPresent(names[$0]) }.min { abs($0 - place) < abs($1 - place) }
    }

    /// The names after a move, both places counted from 0.
    func moving(_ from: Int, to: Int) -> [String] {
        var names = names
        names.insert(names.remove(at: from), at: min(to, names.count))
        return names
    }

    /// Applies a move to the names and to the current place, before a client's new names are set.
    mutating func follow(_ from: Int, to: Int) {
        guard let place else { return }
        names = moving(from, to: to)
        let target = min(to, names.count - 1)
        if place == from {
            self.place = target
        } else if from < place, target >= place {
            self.place = place - 1
        } else if from > place, target <= place {
            self.place = place + 1
        }
    }

    /// The place that plays automatically after the current one, skipping recordings that cannot be played; nil for none.
    func following(wraps: Bool, _ isPlayable: (String) -> Bool) -> Int? {
        guard isInUse else { return nil }
        let first = resume ?? (place ?? -1) + 1
        let after = Array(names.indices.dropFirst(first))
        let before = wraps ? Array(names.indices.prefix(first)) : []
        return (after + before).first { isPlayable(names[$0]) }
    }

    /// The place to which a client's step forward or back leads; nil beyond the ends of the list.
    func neighbour(_ by: Int, wraps: Bool) -> Int? {
        guard !names.isEmpty else { return nil }
        guard let place else { return by > 0 ? min(resume ?? 0, names.count - 1) : max((resume ?? names.count) - 1, 0) }
        let target = place + by
        if names.indices.contains(target) { return target }
        return wraps ? (target + names.count) % names.count : nil
    }
}
