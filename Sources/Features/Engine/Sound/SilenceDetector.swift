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
