/// Detects that the audio thread needs more time for rendering than the sound lasts.
struct OverloadWatch {
    /// Number of slow seconds in a row that count as an overload; loading a session, or the work of another program, takes less.
    private static let least = 3
    /// Nanoseconds between two notices.
    private static let pause: UInt64 = 60_000_000_000

    /// True from three seconds in a row above a load of 1 until a second below 0.9.
    private(set) var isOverloaded = false
    private var before: (busy: Int64, samples: Int64, time: UInt64)?
    private var slow = 0
    private var noticed: UInt64?

    /// Takes the renderer's counts; computes the load once a second.
    ///
    /// - Parameters:
    ///   - busy: nanoseconds spent rendering since the start.
    ///   - samples: frames rendered since the start.
    ///   - rate: frames per second.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: a notice when an overload begins or ends.
    mutating func note(busy: Int64, samples: Int64, rate: Double, now: UInt64) -> String? {
        guard let last = before else {
            before = (busy, samples, now)
            return nil
        }
        guard now &- last.time >= 1_000_000_000, samples > last.samples else { return nil }
        before = (busy, samples, now)
        let load = Double(busy - last.busy) * rate / (Double(samples - last.samples) * 1e9)
        slow = load > 1 ? slow + 1 : 0
        if isOverloaded, load < 0.9 {
            isOverloaded = false
            return "rendering is fast enough again: it takes \(Int(clamping: (load * 100).rounded())) % of the time that the sound lasts"
        }
        guard slow >= Self.least, !isOverloaded else { return nil }
        isOverloaded = true
        if let noticed, now &- noticed < Self.pause { return nil }
        noticed = now
        let times = Double(Int(clamping: (load * 10).rounded())) / 10
        return "rendering takes \(times) times as long as the sound lasts, so sound is lost; use fewer objects, listeners or effects, a "
            + "lower order of reflections, or a simpler method"
    }
}
