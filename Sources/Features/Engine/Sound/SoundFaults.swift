/// Notices an output that stays silent while sound plays.
struct SilenceDetector {
    /// Level of played sound from which the output must not be silent, and ratio of output to played sound up to which the output counts as
    /// silent, both linear: -60 dBFS and -80 dB.
    private static let loud: Float = 1e-3
    private static let ratio: Float = 1e-4
    /// Nanoseconds of sound without output until the output counts as silent, and of silence until nothing counts as playing.
    private static let patience: UInt64 = 1_000_000_000

    private var missing: UInt64 = 0
    private var lastLoud: UInt64 = 0
    private var last: UInt64 = 0
    private(set) var isSilent = false

    /// - Parameters:
    ///   - input: largest sample that plays since the last call, times the output's gain.
    ///   - output: largest sample of the output since the last call.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    mutating func note(input: Float, output: Float, now: UInt64) {
        defer { last = now }
        if input > Self.loud {
            lastLoud = now
            missing += last == 0 ? 0 : min(now - last, Self.patience / 10)
        }
        if output > input * Self.ratio && output > 0 || now - lastLoud > Self.patience { missing = 0 }
        isSilent = missing >= Self.patience
    }
}

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

/// Number of events in the last seconds.
struct RecentCount {
    private let window: UInt64
    private var events: [(time: UInt64, count: Int)] = []

    init(seconds: Int) { window = UInt64(seconds) * 1_000_000_000 }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func add(_ count: Int, now: UInt64) {
        events.removeAll { now - $0.time > window }
        if count > 0 { events.append((now, count)) }
    }

    var sum: Int { events.reduce(0) { $0 + $1.count } }
}
