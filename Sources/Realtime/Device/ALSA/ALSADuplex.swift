internal import CALSA
internal import CRealtime
internal import Render

/// A run that records and plays: renders a block for every recorded block. For the audio thread only.
///
/// Playback begins together with recording, with the wanted number of periods filled with silence. From then on both move together: frame n
/// of the input is played at frame n plus those periods, exactly.
struct ALSADuplex<Renderer: BlockRenderer & ~Copyable>: ~Copyable {
    private let device: ALSAHandle
    private let setup: ALSASetup
    private let capture: ALSAInput
    private let format: DeviceFormat
    private var renderer: LiveRenderer<Renderer>
    private let stopping: Flag
    private var mixer: OutputMixer
    private let input: EarBuffers
    private var samples: Interleaver
    private let recorded: Deinterleaver
    private var clock: ALSAClock
    private var recoveries = 0
    private var surplus = DuplexSurplus()

    private static var mostRecoveries: Int { 100 }
    private static var longestWait: Int32 { 50 }

    init(
        _ device: ALSAHandle, _ setup: ALSASetup, capture: ALSAInput, format: DeviceFormat,
        outputs: OutputRoutes, times: OutputClock, holder: RendererHolder<Renderer>, stopping: Flag
    ) {
        self.device = device
        self.setup = setup
        self.capture = capture
        self.format = format
        renderer = LiveRenderer(holder, frames: setup.period, rate: format.rate, listeners: outputs.listeners)
        self.stopping = stopping
        mixer = OutputMixer(outputs, channels: setup.channels, frames: setup.period)
        input = EarBuffers(frames: setup.period)
        samples = Interleaver(setup.sampleFormat, channels: setup.channels, frames: setup.period)
        recorded = Deinterleaver(capture.setup.sampleFormat, channels: capture.setup.channels, frames: setup.period)
        clock = ALSAClock(device, rate: format.rate, times)
    }

    /// Plays until stopped; returns the error when the devices fail.
    mutating func run() -> DeviceError? {
        // Linked devices of one card start with the same frame; others start one after the other.
        let linked = snd_pcm_link(device.pcm, capture.device.pcm) >= 0
        defer { if linked { snd_pcm_unlink(capture.device.pcm) } }
        var code = begin(linked: linked)
        while code >= 0, !stopping.isRaised {
            code = step()
            if code == -EPIPE || code == -ESTRPIPE { code = begin(again: code, linked: linked) }
            if code == -EINTR || code == -EAGAIN { code = 0 }
        }
        snd_pcm_drop(capture.device.pcm)
        return code < 0 && !stopping.isRaised ? failure(code) : nil
    }

    /// Fills the playback buffer with silence and starts both devices.
    private mutating func begin(linked: Bool) -> Int32 {
        snd_pcm_drop(capture.device.pcm)
        snd_pcm_drop(device.pcm)
        clock.restart()
        surplus = DuplexSurplus()
        var code = snd_pcm_prepare(device.pcm)
        guard code >= 0 else { return code }
        _ = snd_pcm_prepare(capture.device.pcm)
        mixer.silence(frames: setup.period)
        mixer.interleave(into: &samples, frames: setup.period)
        for _ in 0..<periods {
            code = write()
            guard code >= 0 else { return code }
        }
        for pcm in [device.pcm, capture.device.pcm] where snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED {
            code = snd_pcm_start(pcm)
            guard code >= 0 else { return code }
        }
        return 0
    }

    private var periods: Int { min(format.periods, setup.buffer / setup.period) }

    private mutating func begin(again code: Int32, linked: Bool) -> Int32 {
        renderer.count(xruns: 1)
        recoveries += 1
        guard recoveries <= Self.mostRecoveries else { return code }
        return begin(linked: linked)
    }

    /// Waits for a recorded block, then renders and plays one.
    private mutating func step() -> Int32 {
        let available = snd_pcm_avail_update(capture.device.pcm)
        guard available >= 0 else { return Int32(available) }
        guard available >= setup.period else { return min(0, snd_pcm_wait(capture.device.pcm, Self.longestWait)) }
        let captured = captureTime()
        let code = read()
        guard code >= 0 else { return code }
        let free = Int(snd_pcm_avail_update(device.pcm))
        let isKnown = free >= 0
        let queued = isKnown ? max(0, setup.buffer - free - (periods - 1) * setup.period) : 0
        guard !surplus.shedsBlock(Int(available) - setup.period + queued, period: setup.period) else {
            renderer.count(xruns: 1)
            return 0
        }
        let now = rt_now()
        renderer.render(
            RecordedBlock(input: (UnsafePointer(input.left), UnsafePointer(input.right)), time: captured), frames: setup.period,
            at: BlockTime(begin: now, output: clock.output(at: now, frames: setup.period)))
        mixer.fill(from: renderer.ears, frames: setup.period)
        mixer.interleave(into: &samples, frames: setup.period)
        let written = write()
        if written >= 0 { recoveries = 0 }
        return written
    }

    /// Time at which the first unread frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    private func captureTime() -> UInt64 {
        var frames: snd_pcm_sframes_t = 0
        let now = rt_now()
        guard snd_pcm_delay(capture.device.pcm, &frames) >= 0 else { return now }
        let age = UInt64(min(max(0, frames), 10 * format.rate)) * 1_000_000_000 / UInt64(format.rate)
        return now - min(now, age)
    }

    private mutating func read() -> Int32 {
        var done = 0
        while done < setup.period, !stopping.isRaised {
            let count = snd_pcm_readi(
                capture.device.pcm, recorded.bytes + done * recorded.frameSize, snd_pcm_uframes_t(setup.period - done))
            if count > 0 {
                done += count
            } else if count == 0 || count == -Int(EAGAIN) {
                let code = snd_pcm_wait(capture.device.pcm, Self.longestWait)
                if code < 0 { return code }
            } else {
                return Int32(count)
            }
        }
        let limited = recorded.empty(into: input, frames: setup.period)
        if limited > 0 { renderer.count(limited: limited) }
        return 0
    }

    private mutating func write() -> Int32 {
        var done = 0
        while done < setup.period, !stopping.isRaised {
            let count = snd_pcm_writei(
                device.pcm, samples.bytes + done * samples.frameSize, snd_pcm_uframes_t(setup.period - done))
            if count > 0 {
                done += count
                clock.wrote(count)
            } else if count == 0 || count == -Int(EAGAIN) {
                let code = snd_pcm_wait(device.pcm, Self.longestWait)
                if code < 0 { return code }
            } else {
                return Int32(count)
            }
        }
        return 0
    }

    private func failure(_ code: Int32) -> DeviceError {
        DeviceError(
            "The ALSA devices \"\(capture.device.name)\" and \"\(device.name)\" can no longer record and play together "
                + "(\(ALSAHandle.text(code))). Try a longer period, or one card for both.")
    }
}

/// An open capture device and its configuration.
struct ALSAInput: Sendable {
    let device: ALSAHandle
    let setup: ALSASetup

    /// Opens and configures a capture device with the period of playback.
    /// Throws when there is none, it is busy, or it does not have that rate.
    init(_ name: String, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        // More periods than needed: recorded frames are read as soon as they arrive, and the rest is a reserve.
        let wanted = try DeviceFormat(rate: rate, period: period, periods: 4)
        setup = try ALSASetup(device, wanted)
        guard setup.period == period else {
            throw DeviceError(
                "The ALSA device \"\(name)\" records with a period of \(setup.period) frames, but the playback period is \(period). "
                    + "Ask for --period \(setup.period).")
        }
    }
}

/// Detects more buffered sound between recording and playback than necessary: the clocks of two devices drift, and
/// a sound server may start one of them late.
struct DuplexSurplus {
    /// Blocks over which the minimum is taken; a momentary surplus does no harm.
    private static let window = 250

    private var blocks = 0
    private var least = Int.max
    /// Number of blocks still to be dropped.
    private var owed = 0

    /// - Parameters:
    ///   - frames: frames waiting to be read or played beyond the necessary ones.
    ///   - period: frames of a block.
    /// - Returns: true when the current block has to be dropped.
    mutating func shedsBlock(_ frames: Int, period: Int) -> Bool {
        if owed > 0 {
            owed -= 1
            return true
        }
        least = min(least, frames)
        blocks += 1
        guard blocks == Self.window else { return false }
        owed = max(0, least / period)
        (blocks, least) = (0, .max)
        return false
    }
}
