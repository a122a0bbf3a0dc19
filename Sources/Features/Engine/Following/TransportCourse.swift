import Hub

/// The latest places of a transport and their times, between which the place at any time is known.
///
/// Differences of two engines are taken at one time: what a sound device loses or waits is not in its clock.
struct TransportCourse {
    /// Number of places kept: about two seconds.
    private static let count = 64
    private var places: [TransportReport] = []

    mutating func add(_ place: TransportReport) {
        if let last = places.last, place.time <= last.time { return }
        places = places.suffix(Self.count - 1) + [place]
    }

    /// The position at a time; nil before the first place and after the last one.
    /// - Parameter recording: whose length and repetition apply.
    func position(at time: UInt64, _ recording: TransportReport) -> Double? {
        guard let next = places.firstIndex(where: { $0.time >= time }), next > 0 else { return nil }
        let (before, after) = (places[next - 1], places[next])
        let share = Double(time - before.time) / Double(after.time - before.time)
        return recording.rounded(before.position + share * recording.difference(after.position - before.position))
    }
}
