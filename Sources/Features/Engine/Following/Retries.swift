import Parameters

/// Attempts that become rarer: the wait after each is twice the one before it, up to the longest. Times are CLOCK_MONOTONIC nanoseconds.
struct RetryTimer {
    /// Wait after the first attempt.
    let first: UInt64
    let longest: UInt64
    private var wait: UInt64 = 0
    private var latest: UInt64 = 0

    init(first: UInt64, longest: UInt64) { (self.first, self.longest) = (first, longest) }

    /// Notes an attempt.
    mutating func note(_ now: UInt64) { (wait, latest) = (wait == 0 ? first : min(longest, 2 * wait), now) }

    /// Whether the next attempt is due.
    func isDue(_ now: UInt64) -> Bool { wait == 0 || now >= latest + wait }

    /// Makes the next attempt due at once; the waits start over.
    mutating func hurry() { wait = 0 }
}

/// Texts of the followed engine that this engine refused, most of them names of files that are not here. Times are CLOCK_MONOTONIC
/// nanoseconds.
///
/// They are tried again, in case the file has arrived. Attempts become rarer, since each failure causes a notice.
struct RefusedTexts {
    /// Time that reading a file may take before its text counts as refused.
    private static let reading: UInt64 = 3_000_000_000
    /// Time between the first two attempts, which doubles up to the longest one.
    private static let again: UInt64 = 10_000_000_000
    private static let longest: UInt64 = 300_000_000_000
    /// Maximum number of texts that are named in the problem.
    private static let mostNamed = 3

    private struct Attempt {
        let text: String
        /// The value at the first attempt. A different value since then was set on this engine, or is the text in its stored form.
        let before: ParameterValue
        /// Time of the latest attempt.
        var asked: UInt64
        var attempts = RetryTimer(first: again, longest: longest)
        var isRefused = false
        /// Whether the file that it names is being fetched.
        var isFetched = false

        init(_ text: String, before: ParameterValue, now: UInt64) {
            (self.text, self.before, asked) = (text, before, now)
            attempts.note(now)
        }
    }

    private var attempts: [String: Attempt] = [:]

    /// The texts that are not taken over, and the remedy; empty for none.
    var problem: String {
        let refused = attempts.filter { $0.value.isRefused && !$0.value.isFetched }.sorted { $0.key < $1.key }
        guard !refused.isEmpty else { return "" }
        let named = refused.prefix(Self.mostNamed).map { "\($0.key) (\($0.value.text))" }
        let rest = refused.count - named.count
        let isAbsolute = refused.contains { $0.value.text.hasPrefix("/") }
        return "not taken over: \(named.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""); copy the files to the same folders "
            + "on this engine's machine\(isAbsolute ? ", and allow those that are not the program's own with --allow-path" : "")"
    }

    /// Notes a value that was set.
    /// - Parameter before: the value until then.
    mutating func note(_ value: ParameterValue, at address: String, before: ParameterValue, now: UInt64) {
        guard case .text(let text) = value, value != before else { return attempts[address] = nil }
        attempts[address] = Attempt(text, before: before, now: now)
    }

    /// - Parameter value: the current value at an address; nil where there is none.
    /// - Returns: the addresses and texts to try again.
    mutating func due(now: UInt64, value: (_ address: String) -> ParameterValue?) -> [(address: String, text: String)] {
        var due: [(address: String, text: String)] = []
        for (address, attempt) in attempts {
            guard value(address) == attempt.before else {
                attempts[address] = nil
                continue
            }
            guard now > attempt.asked + Self.reading else { continue }
            attempts[address]?.isRefused = true
            guard attempt.attempts.isDue(now) else { continue }
            attempts[address]?.asked = now
            attempts[address]?.attempts.note(now)
            due.append((address, attempt.text))
        }
        return due
    }

    /// The texts that were refused, by address.
    var refused: [String: String] { attempts.filter(\.value.isRefused).mapValues(\.text) }

    /// Tries a text again at once.
    mutating func hurry(_ address: String) {
        attempts[address]?.asked = 0
        attempts[address]?.attempts.hurry()
    }

    /// Notes whether the file that a text names is being fetched: there is nothing for the user to do then.
    mutating func note(isFetched: Bool, at address: String) { attempts[address]?.isFetched = isFetched }

    mutating func forget() { attempts = [:] }
}

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
