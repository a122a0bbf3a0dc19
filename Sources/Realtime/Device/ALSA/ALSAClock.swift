internal import CALSA
internal import CRealtime

/// Estimates when the next frame written to an ALSA device leaves its converter. For the audio thread only.
struct ALSAClock: ~Copyable {
    private let device: ALSAHandle
    private let rate: UInt64
    private var status: OpaquePointer?
    /// Frames written since the device was last prepared; until it runs, ALSA does not report them.
    private var queued: UInt64 = 0
    private var times: OutputClock

    /// Age in nanoseconds above which a timestamp is considered invalid.
    private static let oldest: UInt64 = 1_000_000_000

    /// - Parameter rate: frames per second.
    init(_ device: ALSAHandle, rate: Int, _ times: OutputClock) {
        self.device = device
        self.rate = UInt64(rate)
        self.times = times
        snd_pcm_status_malloc(&status)
    }

    deinit { snd_pcm_status_free(status) }

    mutating func wrote(_ frames: Int) { queued += UInt64(frames) }

    mutating func restart() {
        queued = 0
        times.restart()
    }

    /// Returns the output time of the next frame, CLOCK_MONOTONIC nanoseconds.
    ///
    /// - Parameters:
    ///   - now: current time of the same clock.
    ///   - frames: frames that are about to be written.
    mutating func output(at now: UInt64, frames: Int) -> UInt64 { times.output(begin: now, reported: reported(at: now), frames: frames) }

    private func reported(at now: UInt64) -> UInt64 {
        guard let status, snd_pcm_status(device.pcm, status) >= 0 else { return now + duration(delay()) }
        guard snd_pcm_status_get_state(status) == SND_PCM_STATE_RUNNING else { return now + duration(Int(queued)) }
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        let seconds = UInt64(max(0, stamp.tv_sec))
        let time = seconds * 1_000_000_000 + UInt64(max(0, stamp.tv_nsec))
        // Some plugins use another clock or none: a valid timestamp is at most now and not too old.
        let base = time <= rt_now() && time + Self.oldest > now ? time : now
        return base + duration(snd_pcm_status_get_delay(status))
    }

    private func delay() -> Int {
        var frames: snd_pcm_sframes_t = 0
        return snd_pcm_delay(device.pcm, &frames) >= 0 ? frames : Int(queued)
    }

    /// Clamps a delay to 0 to 10 seconds, since a recovering driver may report anything.
    private func duration(_ frames: Int) -> UInt64 {
        min(UInt64(max(0, frames)), 10 * rate) * 1_000_000_000 / rate
    }
}
