import Hub

/// The latest positions of a transport and their times, between which the position is interpolated.
///
/// Two engines are compared at the same time instead of by extrapolation, since time that a sound device loses or waits does not show in
/// its clock.
struct TransportCourse {
    /// Number of positions kept: about two seconds.
    private static let count = 64
    private var places: [TransportReport] = []

    mutating func add(_ place: TransportReport) {
        if let last = places.last, place.time <= last.time { return }
        places = places.suffix(Self.count - 1) + [place]
    }

    /// The position at a time; nil before the first known position and after the last one.
    /// - Parameter recording: report whose duration and loop state apply.
    func position(at time: UInt64, _ recording: TransportReport) -> Double? {
        guard let next = places.firstIndex(where: { $0.time >= time }), next > 0 else { return nil }
        let (before, after) = (places[next - 1], places[next])
        let share = Double(time - before.time) / Double(after.time - before.time)
        return recording.rounded(before.position + share * recording.difference(after.position - before.position))
    }
}
