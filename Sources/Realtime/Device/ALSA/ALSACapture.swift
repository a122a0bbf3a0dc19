internal import CALSA
internal import CRealtime
internal import Synchronization

/// Stereo capture from an ALSA device, with the time at which each frame was at the converter.
///
/// Owns a thread from its creation until ``stop()``.
public final class ALSACapture: Sendable {
    /// The captured frames.
    public struct Sound: Sendable {
        /// Interleaved stereo samples.
        public var samples: [Float] = []
        /// Time of each read's frames at the converter, as the device reports it.
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
    /// Requested buffer length in microseconds.
    private static let latency: UInt32 = 20_000
    /// Longest wait for frames in milliseconds.
    private static let longestWait: Int32 = 200

    private let sound = Mutex(Sound())
    private let stopping = Flag()
    private let failure = Mutex<DeviceError?>(nil)
    private let thread: Mutex<RealtimeThread?>

    /// - Parameters:
    ///   - name: ALSA name of the device.
    ///   - rate: frames per second; a plugin may resample.
    /// - Throws: ``DeviceError`` when there is no such capture device.
    public init(_ name: String, rate: Int) throws(DeviceError) {
        let device = try ALSAHandle(name, direction: .capture)
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
                code = Int(min(0, snd_pcm_wait(device.pcm, Self.longestWait)))
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

    /// Records the time of the next frame.
    private func read(_ device: ALSAHandle, _ rate: Int, _ frame: Int) {
        var delay: snd_pcm_sframes_t = 0
        let now = rt_now()
        guard snd_pcm_avail_update(device.pcm) > 0, snd_pcm_delay(device.pcm, &delay) >= 0 else { return }
        let late = Int64(max(0, delay)) * 1_000_000_000 / Int64(rate)
        let reading = Reading(frame: frame, time: UInt64(clamping: Int64(now) - late))
        sound.withLock { $0.readings.append(reading) }
    }

    /// Stops capturing and returns the sound.
    /// - Throws: ``DeviceError`` when the device failed during capture.
    public func stop() throws(DeviceError) -> Sound {
        stopping.raise()
        _ = thread.withLock { $0?.join(within: 1_000_000_000) }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return sound.withLock { $0 }
    }
}
