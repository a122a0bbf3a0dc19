/// Detects a device that accepts sound without playing it, such as ALSA's `null`: with such a device the audio thread
/// would never sleep and, at its priority, would block all other threads.
struct PaceGuard {
    private let limit: UInt64
    private let rate: UInt64
    private var frames: UInt64 = 0
    private var since: UInt64 = 0

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - buffer: frames that the device may accept at once.
    init(rate: Int, buffer: Int) {
        self.rate = UInt64(rate)
        limit = UInt64(rate + 4 * buffer)
    }

    /// Records that the device made its caller wait.
    @_noLocks @_noAllocation
    mutating func waited() { frames = 0 }

    /// Records that the device accepted `count` frames at once.
    ///
    /// - Returns: false when it accepted over a second of sound without waiting, in half the sound's duration.
    @_noLocks @_noAllocation
    mutating func took(_ count: Int, at now: UInt64) -> Bool {
        if frames == 0 { since = now }
        frames += UInt64(count)
        return frames <= limit || frames <= 2 * ((now - since) / 1000) * rate / 1_000_000
    }
}
