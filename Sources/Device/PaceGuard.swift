/// Notices a device that takes sound without playing it, as ALSA's `null`: on such a one the audio thread would
/// never sleep, and at its priority nobody else would get to work.
struct PaceGuard {
    private let limit: UInt64
    private let rate: UInt64
    private var frames: UInt64 = 0
    private var since: UInt64 = 0

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - buffer: frames that the device may rightly take at once.
    init(rate: Int, buffer: Int) {
        self.rate = UInt64(rate)
        limit = UInt64(rate + 4 * buffer)
    }

    /// The device made its caller wait.
    @_noLocks @_noAllocation
    mutating func waited() { frames = 0 }

    /// The device took `count` frames at once.
    ///
    /// - Returns: false when it took over a second of sound without a wait, in half the time that lasts.
    @_noLocks @_noAllocation
    mutating func took(_ count: Int, at now: UInt64) -> Bool {
        if frames == 0 { since = now }
        frames += UInt64(count)
        return frames <= limit || frames <= 2 * ((now - since) / 1000) * rate / 1_000_000
    }
}
