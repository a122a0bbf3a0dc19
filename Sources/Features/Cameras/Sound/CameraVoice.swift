internal import Crossing
internal import DSP
internal import Media
internal import Streaming
internal import Synchronization

/// The sound of one microphone on its way to an object: decoded, brought to the engine's rate and clock, and kept as long as packets
/// may be late.
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
        /// Whether packets after the one before the next were left out.
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

    /// Takes a packet that has just come.
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

    /// Decodes what has come.
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

    /// Continues the sound before packets that were late.
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
