internal import CALSA
internal import CRealtime

/// Says when the next frame given to an ALSA device leaves its converter. Belongs to the audio thread.
struct ALSAClock: ~Copyable {
    private let device: ALSAHandle
    private let rate: UInt64
    private var status: OpaquePointer?
    /// Frames given since the device was last prepared; until it runs, nobody else knows.
    private var queued: UInt64 = 0

    /// A timestamp older than this is not one of now, nanoseconds.
    private static let oldest: UInt64 = 1_000_000_000

    /// - Parameter rate: frames per second.
    init(_ device: ALSAHandle, rate: Int) {
        self.device = device
        self.rate = UInt64(rate)
        snd_pcm_status_malloc(&status)
    }

    deinit { snd_pcm_status_free(status) }

    mutating func wrote(_ frames: Int) { queued += UInt64(frames) }

    mutating func restart() { queued = 0 }

    /// CLOCK_MONOTONIC nanoseconds.
    ///
    /// - Parameter now: the same clock, read just before.
    func output(at now: UInt64) -> UInt64 {
        guard let status, snd_pcm_status(device.pcm, status) >= 0 else { return now + duration(delay()) }
        guard snd_pcm_status_get_state(status) == SND_PCM_STATE_RUNNING else { return now + duration(Int(queued)) }
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        let seconds = UInt64(max(0, stamp.tv_sec))
        let time = seconds * 1_000_000_000 + UInt64(max(0, stamp.tv_nsec))
        // The clock may be another one, or none: the stamp of this clock lies between a moment ago and this one.
        let base = time <= rt_now() && time + Self.oldest > now ? time : now
        return base + duration(snd_pcm_status_get_delay(status))
    }

    private func delay() -> Int {
        var frames: snd_pcm_sframes_t = 0
        return snd_pcm_delay(device.pcm, &frames) >= 0 ? frames : Int(queued)
    }

    /// A driver that is just recovering may say anything: nothing below zero, and ten seconds at most.
    private func duration(_ frames: Int) -> UInt64 {
        min(UInt64(max(0, frames)), 10 * rate) * 1_000_000_000 / rate
    }
}
