internal import CALSA
internal import CRealtime
internal import Glibc

/// An open ALSA device that records a live array or the live input, block by block.
// SAFETY: used by the thread that opens it, and then by the one that records.
final class ALSARecording: RecordingSource, @unchecked Sendable {
    let numbers: [Int]
    /// Noun for the source, as in "live array".
    private let purpose: String
    var period: Int { setup.period }
    let card: Int?
    private let setup: ALSASetup
    private let device: ALSAHandle
    private let picker: ChannelPicker
    private let rate: Int
    /// Frames that were read, those from `place` to `filled` not yet returned, and the time at which the one after the last was at the
    /// converter.
    private let store: UnsafeMutablePointer<Float>
    private var place = 0
    private var filled = 0
    private var end: UInt64 = 0
    private var isRunning = false
    private var recoveries = 0
    /// Time at which frames arrived last, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0

    private static let mostRecoveries = 100
    private static let longestWait: Int32 = 50
    /// Nanoseconds without frames after which the device counts as lost, unless its blocks are long.
    private static let longestSilence: UInt64 = 400_000_000

    /// Opens a live array.
    ///
    /// - Parameters:
    ///   - wanted: the channels of the microphones; nil for all of a device that has a fixed number.
    /// - Throws: ``DeviceError`` when there is no such device, it is busy, or it does not have this rate or these channels.
    init(_ name: String, channels wanted: ArrayChannels?, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        card = device.card
        if let wanted { numbers = wanted.numbers } else { numbers = try Self.allChannels(device).numbers }
        purpose = "the array"
        setup = try ALSASetup(
            device, DeviceFormat(rate: rate, period: period, periods: 4), channels: max(3, numbers.max() ?? 3))
        picker = ChannelPicker(setup.sampleFormat, channels: setup.channels, wanted: numbers, frames: setup.buffer)
        store = .allocate(capacity: 2 * setup.buffer * numbers.count)
        self.rate = rate
    }

    /// Opens the live input: the first two channels, or the only one on both sides.
    /// - Throws: ``DeviceError`` when there is no such device, it is busy, or it does not have this rate.
    init(input name: String, rate: Int, period: Int) throws(DeviceError) {
        device = try ALSAHandle(name, direction: .capture)
        card = device.card
        purpose = "the live input"
        setup = try ALSASetup(device, DeviceFormat(rate: rate, period: period, periods: 4))
        numbers = setup.channels > 1 ? [1, 2] : [1, 1]
        picker = ChannelPicker(setup.sampleFormat, channels: setup.channels, wanted: numbers, frames: setup.buffer)
        store = .allocate(capacity: 2 * setup.buffer * numbers.count)
        self.rate = rate
    }

    deinit { store.deallocate() }

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
                    + (counts.upperBound > 64 ? "Name the microphones' channels with --array-channels." : "Choose another device."))
        }
        return try ArrayChannels(Array(1...counts.upperBound))
    }

    /// Waits for a block, at most a few dozen milliseconds.
    func next() -> ArrayBlock {
        guard isRunning else { return start() }
        if filled - place >= setup.period { return take() }
        let available = snd_pcm_avail_update(device.pcm)
        guard available >= setup.period else { return available < 0 ? recover(Int32(available)) : wait() }
        // Read everything available: PulseAudio's plugin keeps a remainder in use, and hangs when its server ends meanwhile.
        let count = snd_pcm_readi(device.pcm, picker.bytes, snd_pcm_uframes_t(min(available, setup.buffer)))
        guard count > 0 else { return count < 0 ? recover(Int32(count)) : wait() }
        (newest, recoveries) = (rt_now(), 0)
        var left: snd_pcm_sframes_t = 0
        if snd_pcm_delay(device.pcm, &left) < 0 { left = 0 }
        let age = UInt64(min(max(0, left), rate)) * 1_000_000_000 / UInt64(rate)
        end = newest - min(newest, age)
        picker.pick(frames: count)
        keep(count)
        return filled >= setup.period ? take() : .nothing
    }

    /// Appends the selected frames to the remaining ones.
    private func keep(_ count: Int) {
        let width = numbers.count
        store.update(from: store + place * width, count: (filled - place) * width)
        (place, filled) = (0, filled - place)
        (store + filled * width).update(from: picker.picked, count: count * width)
        filled += count
    }

    /// The next block of the frames read.
    private func take() -> ArrayBlock {
        let block = UnsafePointer(store + place * numbers.count)
        place += setup.period
        let later = UInt64(filled - place) * 1_000_000_000 / UInt64(rate)
        return .frames(block, end: end - min(end, later))
    }

    private func start() -> ArrayBlock {
        (place, filled) = (0, 0)
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
            "The ALSA device \"\(device.name)\" no longer records \(purpose): it was unplugged, or its sound server ended "
                + "(\(ALSAHandle.text(code))).")
    }
}
