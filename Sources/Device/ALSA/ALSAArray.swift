internal import CALSA
internal import CRealtime
internal import Glibc

/// An open ALSA device that records a live array, block by block.
// SAFETY: used by the thread that opens it, and then by the one that records.
final class ALSAArray: ArraySource, @unchecked Sendable {
    let channels: ArrayChannels
    var period: Int { setup.period }
    private let setup: ALSASetup
    private let device: ALSAHandle
    private let picker: ChannelPicker
    private let rate: Int
    private var isRunning = false
    private var recoveries = 0
    /// When frames arrived last, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0

    private static let mostRecoveries = 100
    private static let longestWait: Int32 = 50
    /// Nanoseconds without frames after which the device counts as lost, unless its blocks are long.
    private static let longestSilence: UInt64 = 400_000_000

    /// - Parameters:
    ///   - channels: the channels of the microphones; nil for all of a device that has a fixed number.
    /// - Throws: ``DeviceError`` when there is no such device, it is busy, or it has not this rate or these channels.
    init(_ name: String, channels wanted: ArrayChannels?, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        if let wanted { channels = wanted } else { channels = try Self.allChannels(device) }
        setup = try ALSASetup(
            device, DeviceFormat(rate: rate, period: period, periods: 4), channels: max(3, channels.numbers.max() ?? 3))
        picker = ChannelPicker(setup.sampleFormat, channels: setup.channels, wanted: channels.numbers, frames: setup.period)
        self.rate = rate
    }

    /// All channels of a device that has a fixed number of them.
    private static func allChannels(_ device: ALSAHandle) throws(DeviceError) -> ArrayChannels {
        guard let counts = ALSASetup.channels(device), counts.lowerBound == counts.upperBound else {
            throw DeviceError(
                "The ALSA device \"\(device.name)\" can be opened with any of several numbers of channels. Name those of the microphones "
                    + "with --array-channels, as in 1-16.")
        }
        guard ArrayChannels.counts.contains(counts.upperBound) else {
            throw DeviceError(
                "The ALSA device \"\(device.name)\" has \(counted(counts.upperBound, "channel")), an array 4 to 64. "
                    + (counts.upperBound > 64 ? "Name those of the microphones with --array-channels." : "Choose another device."))
        }
        return try ArrayChannels(Array(1...counts.upperBound))
    }

    /// Waits for a block, at most a few dozen milliseconds.
    func next() -> ArrayBlock {
        guard isRunning else { return start() }
        let available = snd_pcm_avail_update(device.pcm)
        guard available >= setup.period else { return available < 0 ? recover(Int32(available)) : wait() }
        let count = snd_pcm_readi(device.pcm, picker.bytes, snd_pcm_uframes_t(setup.period))
        guard count == setup.period else { return count < 0 ? recover(Int32(count)) : wait() }
        (newest, recoveries) = (rt_now(), 0)
        var left: snd_pcm_sframes_t = 0
        if snd_pcm_delay(device.pcm, &left) < 0 { left = 0 }
        let age = UInt64(min(max(0, left), rate)) * 1_000_000_000 / UInt64(rate)
        picker.pick(frames: setup.period)
        return .frames(UnsafePointer(picker.picked), end: newest - min(newest, age))
    }

    private func start() -> ArrayBlock {
        snd_pcm_drop(device.pcm)
        let code = snd_pcm_prepare(device.pcm)
        guard code >= 0, snd_pcm_start(device.pcm) >= 0 else { return .failure(failure(code)) }
        isRunning = true
        newest = rt_now()
        return .gap
    }

    private func wait() -> ArrayBlock {
        let code = snd_pcm_wait(device.pcm, Self.longestWait)
        guard code >= 0 else { return recover(code) }
        let longest = max(Self.longestSilence, 4 * UInt64(setup.period) * 1_000_000_000 / UInt64(rate))
        guard rt_now() < newest + longest else {
            return .failure(DeviceError("The ALSA device \"\(device.name)\" no longer records: its driver or its sound server hangs."))
        }
        return .nothing
    }

    private func recover(_ code: Int32) -> ArrayBlock {
        if code == -EINTR || code == -EAGAIN { return .nothing }
        recoveries += 1
        guard code == -EPIPE || code == -ESTRPIPE, recoveries <= Self.mostRecoveries else { return .failure(failure(code)) }
        return start()
    }

    private func failure(_ code: Int32) -> DeviceError {
        DeviceError(
            "The ALSA device \"\(device.name)\" no longer records the array: it was unplugged, or its sound server ended "
                + "(\(ALSAHandle.text(code))).")
    }
}
