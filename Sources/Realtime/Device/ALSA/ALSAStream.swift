internal import CALSA
internal import CRealtime
internal import Glibc
internal import Render

/// A playback run on an ALSA device: keeps its buffer full. For the audio thread only.
struct ALSAStream<Renderer: BlockRenderer & ~Copyable>: ~Copyable {
    private let device: ALSAHandle
    /// Frames rendered at once, at most the device's period.
    private let block: Int
    private var renderer: LiveRenderer<Renderer>
    private let stopping: Flag
    private var mixer: OutputMixer
    private var samples: Interleaver
    private var clock: ALSAClock
    private var pace: PaceGuard
    private var recoveries = 0

    /// Consecutive recoveries without a block played after which the device counts as failed.
    private static var mostRecoveries: Int { 100 }

    /// Longest wait in milliseconds, and so the longest delay of a stop.
    private static var longestWait: Int32 { 50 }

    init(
        _ device: ALSAHandle, _ setup: ALSASetup, rate: Int, block: Int, outputs: OutputRoutes, times: OutputClock,
        holder: RendererHolder<Renderer>, stopping: Flag
    ) {
        self.device = device
        self.block = block
        renderer = LiveRenderer(holder, frames: block, rate: rate, listeners: outputs.listeners)
        self.stopping = stopping
        mixer = OutputMixer(outputs, channels: setup.channels, frames: block)
        samples = Interleaver(setup.sampleFormat, channels: setup.channels, frames: block)
        clock = ALSAClock(device, rate: rate, times)
        pace = PaceGuard(rate: rate, buffer: setup.buffer)
    }

    /// Plays until stopped; returns the error when the device fails.
    mutating func run() -> DeviceError? {
        var code = snd_pcm_prepare(device.pcm)
        while code >= 0, !stopping.isRaised {
            code = step()
            if code < 0 { code = recover(code) }
        }
        return code < 0 && !stopping.isRaised ? failure(code) : nil
    }

    /// Renders a block when one fits, otherwise waits.
    private mutating func step() -> Int32 {
        let available = snd_pcm_avail_update(device.pcm)
        guard available >= 0 else { return Int32(available) }
        guard available >= block else { return wait() }
        let now = rt_now()
        guard pace.took(block, at: now) else { return -ETIME }
        renderer.render(frames: block, at: BlockTime(begin: now, output: clock.output(at: now, frames: block)))
        mixer.fill(from: renderer.ears, frames: block)
        mixer.interleave(into: &samples, frames: block)
        return write()
    }

    private mutating func write() -> Int32 {
        var done = 0
        while done < block, !stopping.isRaised {
            let count = snd_pcm_writei(
                device.pcm, samples.bytes + done * samples.frameSize, snd_pcm_uframes_t(block - done))
            if count > 0 {
                done += count
                clock.wrote(count)
                recoveries = 0
            } else {
                let code = count == 0 || count == -Int(EAGAIN) ? wait() : Int32(count)
                let outcome = code < 0 ? recover(code) : 0
                if outcome < 0 { return outcome }
            }
        }
        return 0
    }

    private mutating func wait() -> Int32 {
        pace.waited()
        // Full but not started: not every plugin starts by itself at the threshold.
        if snd_pcm_state(device.pcm) == SND_PCM_STATE_PREPARED {
            let code = snd_pcm_start(device.pcm)
            if code < 0 { return code }
        }
        return min(0, snd_pcm_wait(device.pcm, Self.longestWait))
    }

    /// Restarts the device after an underrun or a suspend, with the next rendered block.
    private mutating func recover(_ code: Int32) -> Int32 {
        switch -code {
        case EINTR, EAGAIN: return 0
        case EPIPE, ESTRPIPE: break
        default: return code
        }
        renderer.count(xruns: 1)
        recoveries += 1
        guard recoveries <= Self.mostRecoveries else { return code }
        clock.restart()
        pace.waited()
        guard code == -ESTRPIPE else { return snd_pcm_recover(device.pcm, code, 1) }
        // Not done by snd_pcm_recover, which waits for the end of the suspend without checking the stop flag.
        var outcome = snd_pcm_resume(device.pcm)
        while outcome == -EAGAIN, !stopping.isRaised {
            realtime_sleep_until(rt_now() + 20_000_000)
            outcome = snd_pcm_resume(device.pcm)
        }
        return outcome == -EAGAIN || outcome == 0 ? 0 : snd_pcm_prepare(device.pcm)
    }

    private func failure(_ code: Int32) -> DeviceError {
        switch -code {
        case ETIME:
            DeviceError(
                "The ALSA device \"\(device.name)\" accepts sound without playing it. To run without a sound card, "
                    + "use the device timer.")
        case EPIPE, ESTRPIPE:
            DeviceError("The ALSA device \"\(device.name)\" stops again as soon as it is started. Try a longer period.")
        case ENODEV, EBADFD, EIO:
            DeviceError(
                "The ALSA device \"\(device.name)\" has disappeared: it was unplugged, or its sound server ended "
                    + "(\(ALSAHandle.text(code))).")
        default: DeviceError("The ALSA device \"\(device.name)\" has failed: \(ALSAHandle.text(code)).")
        }
    }
}

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
