internal import CALSA
internal import CRealtime
internal import Synchronization

/// Two channels from an ALSA device, every frame with the time at which it was at the converter.
///
/// Owns a thread from when it is made until ``stop()``.
public final class ALSACapture: Sendable {
    /// What has been captured.
    public struct Sound: Sendable {
        /// Interleaved, left and right.
        public var samples: [Float] = []
        /// When frames were at the converter, by the device's own account, read by read.
        public var readings: [Reading] = []
    }

    /// A frame, and the time at which it was at the converter.
    public struct Reading: Sendable {
        public var frame: Int
        /// CLOCK_MONOTONIC nanoseconds.
        public var time: UInt64
    }

    /// Frames per read.
    private static let block = 64
    /// Microseconds of buffer that are asked for.
    private static let latency: UInt32 = 20_000
    /// Milliseconds.
    private static let patience: Int32 = 200

    private let sound = Mutex(Sound())
    private let stopping = Flag()
    private let failure = Mutex<DeviceError?>(nil)
    private let thread: Mutex<RealtimeThread?>

    /// - Parameters:
    ///   - name: as ALSA names it.
    ///   - rate: frames per second; a plugin may resample.
    /// - Throws: when there is no such device to capture from.
    public init(_ name: String, rate: Int) throws(DeviceError) {
        let device = try ALSAHandle(name, capture: true)
        try device.check(
            snd_pcm_set_params(
                device.pcm, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, UInt32(rate), 1, Self.latency),
            "two channels of floats at \(rate) frames per second; \"plughw\" instead of \"hw\" in its name converts them")
        thread = Mutex(nil)
        let made = try RealtimeThread(name: "audio capture", raised: true) { [self] in run(device, rate) }
        thread.withLock { $0 = made }
    }

    private func run(_ device: ALSAHandle, _ rate: Int) {
        var samples = [Float](repeating: 0, count: 2 * Self.block)
        var code = Int(snd_pcm_start(device.pcm))
        var total = 0
        while code >= 0, !stopping.isRaised {
            read(device, rate, total)
            code = snd_pcm_readi(device.pcm, &samples, snd_pcm_uframes_t(Self.block))
            if code == -Int(EAGAIN) {
                code = Int(min(0, snd_pcm_wait(device.pcm, Self.patience)))
                continue
            }
            guard code > 0 else { continue }
            total += code
            let count = code
            sound.withLock { $0.samples += samples.prefix(2 * count) }
        }
        guard code < 0 else { return }
        let text = ALSAHandle.text(Int32(code))
        failure.withLock { $0 = DeviceError("The ALSA device \"\(device.name)\" stopped capturing: \(text).") }
    }

    /// Notes when the next frame was there.
    private func read(_ device: ALSAHandle, _ rate: Int, _ frame: Int) {
        var delay: snd_pcm_sframes_t = 0
        let now = rt_now()
        guard snd_pcm_avail_update(device.pcm) > 0, snd_pcm_delay(device.pcm, &delay) >= 0 else { return }
        let late = Int64(max(0, delay)) * 1_000_000_000 / Int64(rate)
        let reading = Reading(frame: frame, time: UInt64(clamping: Int64(now) - late))
        sound.withLock { $0.readings.append(reading) }
    }

    /// Frames captured so far.
    public var frames: Int { sound.withLock { $0.samples.count / 2 } }

    /// Ends the capture.
    /// - Throws: when the device failed on the way.
    public func stop() throws(DeviceError) -> Sound {
        stopping.raise()
        _ = thread.withLock { $0?.join(within: 1_000_000_000) }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return sound.withLock { $0 }
    }
}
