/// Writes a sentence about each place whose sound left its range: the first at once, later ones about the same place every ten seconds.
struct ResetNotices {
    private static let interval: UInt64 = 10_000_000_000

    private var pending: [String: (count: Int, isFinite: Bool)] = [:]
    private var times: [String: UInt64] = [:]

    /// Takes note of resets.
    ///
    /// - Parameters:
    ///   - place: the subject of the sentence.
    ///   - isFinite: whether all samples were finite.
    mutating func add(_ count: Int, of place: String, isFinite: Bool) {
        let before = pending[place] ?? (0, true)
        pending[place] = (before.count + count, before.isFinite && isFinite)
    }

    /// Returns the sentences that are due, in the order of their places.
    ///
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func take(now: UInt64) -> [String] {
        let due = pending.keys.filter { times[$0].map { now - $0 >= Self.interval } ?? true }.sorted()
        return due.map { place in
            let (count, isFinite) = pending.removeValue(forKey: place)!
            times[place] = now
            let why = isFinite ? "more than 120 dB above full scale" : "infinite or not a number"
            let times = count == 1 ? "" : " \(count) times"
            return "the sound of \(place) was \(why); it was cleared\(times) and faded in again"
        }
    }
}
