internal import COpus
internal import CRealtime
internal import Crossing
internal import DSP
internal import Media
internal import Streaming
internal import Synchronization

/// The sound of one microphone on its way to an object: decoded, converted to the engine's rate and clock, and delayed by as much as
/// packets may be late.
// SAFETY: `push` and `counts` use what is behind `state`; everything else is used by `work`, on the thread of all voices.
final class CameraVoice: @unchecked Sendable {
    private struct Packet {
        let bytes: [UInt8]
        /// Milliseconds.
        let came: Double
        /// Whether packets before it are missing.
        let isAfterGap: Bool
    }

    private struct State {
        var packets: [Packet] = []
        var counts = VoiceCounts()
        /// Number of the latest packet.
        var latest: UInt32?
        /// Whether packets have been left out since the last one that was kept.
        var hasGap = false
    }

    /// Packets that may wait for the thread: half a second of those that browsers send.
    private static let most = 25
    /// Frames at 48,000 Hz over which sound fades where packets are left out.
    private static let fade = 240
    /// Level below which the lack of 20 ms is not noticed: -50 dB.
    private static let quiet: Float = 0.003
    /// Largest deviation of the pitch while sound approaches the wanted delay: under one cent.
    private static let bend = 5e-4

    private let state = Mutex(State())
    private let rate: Int
    private let decoder: VoiceDecoder
    private var frames: FrameRing.Producer
    private var reserve: PlayoutReserve
    private var budget = SoundBudget()
    private var loop: DriftLoop
    private var resampler = VariableResampler(channels: 1)
    private let output: UnsafeMutablePointer<Float>
    private let room: Int
    /// Whether the next sound follows some that was left out.
    private var isBroken = false

    /// - Parameters:
    ///   - frames: receives one channel at the engine's rate.
    ///   - rate: of the engine, frames per second.
    ///   - period: frames that the engine takes at once.
    ///   - floor: milliseconds of sound that have to wait for the engine.
    /// - Returns: nil when sound cannot be decoded.
    init?(_ frames: consuming FrameRing.Producer, rate: Int, period: Int, floor: Double) {
        guard let decoder = VoiceDecoder() else { return nil }
        self.decoder = decoder
        self.frames = frames
        self.rate = rate
        reserve = PlayoutReserve(floor: floor, block: 1000 * Double(period) / Double(rate))
        loop = DriftLoop(rate: Double(rate), correction: Self.bend)
        room = 2 * VoiceDecoder.mostFrames * max(1, rate / Opus.rate + 1)
        output = .allocate(capacity: room)
    }

    deinit { output.deallocate() }

    var counts: VoiceCounts { state.withLock { $0.counts } }

    /// Takes a packet that has just arrived.
    ///
    /// - Parameter number: of the packet; the next one has the next number.
    func push(_ packet: [UInt8], number: UInt32, now: Double) {
        state.withLock { state in
            let isNext = state.latest.map { number == $0 &+ 1 } ?? true
            state.latest = number
            // With too many packets, the newest is dropped: the waiting ones continue the audible sound.
            guard state.packets.count < Self.most else {
                state.counts.leftOut += 1
                return state.hasGap = true
            }
            state.packets.append(Packet(bytes: packet, came: now, isAfterGap: !isNext || state.hasGap))
            state.hasGap = false
        }
    }

    // MARK: The thread

    /// Decodes the packets that have arrived.
    func work() {
        while let packet = state.withLock({ $0.packets.isEmpty ? nil : $0.packets.removeFirst() }) { take(packet) }
    }

    private func note(_ change: (inout VoiceCounts) -> Void) { state.withLock { change(&$0.counts) } }

    private func take(_ packet: Packet) {
        guard let length = VoiceDecoder.frames(in: packet.bytes) else { return note { $0.refused += 1 } }
        let duration = 1000 * Double(length) / Double(Opus.rate)
        if packet.isAfterGap { breakOff() }
        guard budget.take(duration, now: packet.came) else {
            breakOff()
            return note { $0.leftOut += 1 }
        }
        let waiting = 1000 * Double(frames.filled) / Double(rate)
        let step = reserve.take(waiting: waiting, now: packet.came)
        if case .fill(let missing) = step { fill(missing) }
        guard let count = decoder.decode(packet.bytes) else {
            breakOff()
            return note { $0.refused += 1 }
        }
        if isLeftOut(step, count) {
            reserve.shortened(packet.came)
            leaveOut(count)
            return note { $0.leftOut += 1 }
        }
        if step == .play { loop.note(error: (waiting - reserve.target) / 1000 * Double(rate), elapsed: duration / 1000) }
        if isBroken { scale(min(Self.fade, count), from: 0, to: 1) }
        isBroken = false
        write(count)
        let late = reserve.late
        note {
            $0.heard += 1
            $0.late = late
        }
    }

    private func isLeftOut(_ step: PlayoutReserve.Step, _ count: Int) -> Bool {
        switch step {
        case .play, .fill: false
        case .leaveOut: true
        case .shorten(let isUrgent): isUrgent || (0..<count).allSatisfy { abs(decoder.samples[$0]) < Self.quiet }
        }
    }

    /// Fills the gap before a late packet by continuing the sound.
    private func fill(_ missing: Double) {
        var left = Int(clamping: missing / 1000 * Double(Opus.rate))
        while left > 0 {
            let count = decoder.conceal(left)
            guard count > 0 else { return }
            if isBroken { scale(min(Self.fade, count), from: 0, to: 1) }
            isBroken = false
            write(count)
            left -= count
        }
    }

    /// Fades the sound out where packets are missing.
    private func breakOff() {
        guard !isBroken else { return }
        isBroken = true
        let count = decoder.conceal(Self.fade)
        guard count > 0 else { return }
        scale(count, from: 1, to: 0)
        write(count)
    }

    /// Fades out at the beginning of sound that is left out.
    private func leaveOut(_ count: Int) {
        guard !isBroken, count >= Self.fade else { return isBroken = true }
        scale(Self.fade, from: 1, to: 0)
        write(Self.fade)
        isBroken = true
    }

    private func scale(_ count: Int, from: Float, to: Float) {
        Ramp(from: from, to: to, frames: count).scale(decoder.samples, frames: count)
    }

    /// Writes frames of the decoder at the engine's rate; frames that do not fit are lost.
    private func write(_ count: Int) {
        resampler.set(ratio: loop.ratio * Double(Opus.rate) / Double(rate))
        var done = 0
        while done < count {
            let (consumed, produced) = resampler.process(decoder.samples + done, frames: count - done, output: output, capacity: room)
            guard consumed + produced > 0 else { return }
            done += consumed
            _ = frames.write(output, frames: produced)
        }
    }
}

/// Decodes the Opus packets of one microphone, and continues its sound where packets are missing.
final class VoiceDecoder {
    /// Bytes of the longest packet, and frames of the longest one that is decoded.
    static let (mostBytes, mostFrames) = (RelayFrame.largestSound - RelayFrame.headerBytes, 5760)
    /// Frames in steps of which missing sound is continued: 2.5 ms.
    private static let step = 120

    private let decoder: OpaquePointer
    /// Sound of the latest call.
    let samples: UnsafeMutablePointer<Float>

    /// - Returns: nil when the library refuses.
    init?() {
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(opus_int32(Opus.rate), 1, &status), status == OPUS_OK else { return nil }
        self.decoder = decoder
        samples = .allocate(capacity: Self.mostFrames)
    }

    deinit {
        opus_decoder_destroy(decoder)
        samples.deallocate()
    }

    /// Frames in a packet; nil when it is not a valid packet.
    static func frames(in packet: [UInt8]) -> Int? {
        guard (1...mostBytes).contains(packet.count) else { return nil }
        let count = Int(opus_packet_get_nb_samples(packet, opus_int32(packet.count), opus_int32(Opus.rate)))
        return (1...mostFrames).contains(count) ? count : nil
    }

    /// Decodes a packet into ``samples``.
    /// - Returns: number of frames; nil for one that cannot be decoded.
    func decode(_ packet: [UInt8]) -> Int? {
        finish(opus_decode_float(decoder, packet, opus_int32(packet.count), samples, Int32(Self.mostFrames), 0))
    }

    /// Continues the sound by about as many frames, fading with time.
    /// - Returns: number of frames.
    func conceal(_ frames: Int) -> Int {
        let count = min(Self.mostFrames, (frames + Self.step - 1) / Self.step * Self.step)
        return count > 0 ? finish(opus_decode_float(decoder, nil, 0, samples, Int32(count), 0)) ?? 0 : 0
    }

    private func finish(_ count: Int32) -> Int? {
        guard count > 0 else { return nil }
        _ = rt_limit_samples(samples, Int(count))
        for frame in 0..<Int(count) { samples[frame] = max(-1, min(1, samples[frame])) }
        return Int(count)
    }
}

/// Packets of sound by their result.
package struct VoiceCounts: Sendable {
    /// Packets that were decoded.
    var heard = 0
    /// Packets that cannot be decoded, or are too long.
    var refused = 0
    /// Packets beyond real time, or beyond the delay that is wanted.
    var leftOut = 0
    /// Packets before which sound was missing.
    var late = 0

    static func + (left: Self, right: Self) -> Self {
        Self(
            heard: left.heard + right.heard, refused: left.refused + right.refused, leftOut: left.leftOut + right.leftOut,
            late: left.late + right.late)
    }
}
