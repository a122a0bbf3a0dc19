/// Schedule of attempts to load the recording that the followed engine plays and this one does not. Times are CLOCK_MONOTONIC nanoseconds.
///
/// Attempts become rarer, since each failure causes a notice; when the name appears among the recordings, the next attempt is due at once.
struct MissingRecording {
    /// Time before the first attempt: this engine's playlist may be about to play it.
    private static let pause: UInt64 = 400_000_000
    /// Time after which it counts as missing.
    private static let reading: UInt64 = 3_000_000_000
    /// Time between the first two attempts, which doubles up to the longest one.
    private static let again: UInt64 = 5_000_000_000
    private static let longest: UInt64 = 300_000_000_000

    let name: String
    private let since: UInt64
    private var attempts = RetryTimer(first: again, longest: longest)
    private var wasListed = false

    /// - Parameter now: time at which it is first missed.
    init(_ name: String, now: UInt64) { (self.name, since) = (name, now) }

    /// Whether it has been missing for so long that this is a problem.
    func isProblem(now: UInt64) -> Bool { now > since + Self.reading }

    /// Whether it is to be loaded now; returning true counts as an attempt.
    /// - Parameter isListed: whether the folder of recordings has its name.
    mutating func isDue(now: UInt64, isListed: Bool) -> Bool {
        let isNew = isListed && !wasListed
        wasListed = isListed
        guard now > since + Self.pause, isNew || attempts.isDue(now) else { return false }
        attempts.note(now)
        return true
    }
}
