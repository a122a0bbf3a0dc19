internal import CRealtime
public import Crossing
internal import DSP
internal import Parameters
internal import Rack
internal import RenderCore
internal import RenderInterface

/// Live input from the device that plays, from another one or from a clip: measured, tapped for the tuner, and processed once per block for
/// all listeners.
struct LiveInput: ~Copyable, Sendable {
    /// Indices of the reported levels.
    enum Meter {
        static var left: Int { @_noLocks @_noAllocation get { 0 } }
        static var right: Int { @_noLocks @_noAllocation get { 1 } }
        static var count: Int { 2 }
    }

    /// Left and right, their mean, and in the last two rows a whole block that is rendered in parts.
    private let rows: Rows
    private let clip: InputClip?
    // SAFETY: samples of `clip`, which this value holds; nil when there is none.
    private nonisolated(unsafe) let samples: UnsafePointer<Float>?
    private let clipFrames: Int
    private var feed: InputFeed?
    private var place = 0
    private var chain = InputChain()
    private var rack: LiveRack
    private var tap: FrameRing.Producer
    private let isTapped: Switch.Realtime
    private let owner: TargetRow
    private let meters: TargetRow.View
    /// Index of the input's first parameter.
    private let parameters: Int
    private var range: RangeGuard
    private var refused = RangeCounts()
    private var isFed = false
    private var isInParts = false

    /// - Parameters:
    ///   - clip: a sound instead of a sound device's input.
    ///   - feed: the input of a device with its own clock; nil for the input of the playing device.
    ///   - tap: receives the mean of both sides before gain, for the tuner, while `isTapped` is on.
    ///   - meters: receives the peaks of both sides.
    ///   - parameters: index of the input's first parameter.
    init(
        clip: InputClip?, feed: consuming InputFeed?, rack: consuming LiveRack, tap: consuming FrameRing.Producer,
        isTapped: consuming Switch.Realtime, meters: TargetRow, parameters: Int, period: Int, rate: Float
    ) {
        rows = Rows(rows: 5, length: period)
        self.clip = clip
        samples = clip.map { UnsafePointer($0.samples) }
        clipFrames = clip?.frames ?? 0
        self.feed = feed
        self.rack = rack
        self.tap = tap
        self.isTapped = isTapped
        owner = meters
        self.meters = meters.view
        self.parameters = parameters
        range = RangeGuard(rate: rate)
    }

    /// Number of times that sound out of range was replaced.
    var counts: RangeCounts { @_noLocks @_noAllocation get { refused + rack.counts } }

    /// Latency of the input's rack, samples.
    var latency: Int { @_noLocks @_noAllocation get { rack.latency } }

    /// Takes a block of a sound device's input for the block that is rendered next.
    @_noLocks @_noAllocation
    mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
        guard samples == nil, feed == nil else { return }
        rt_copy(rows.row(0), left, frames)
        rt_copy(rows.row(1), right, frames)
        isFed = true
    }

    /// Selects `part` frames from `offset` of a block that is rendered in parts.
    ///
    /// Processing works in place on the first frames of the rows and writes past them, so the whole block is kept in other rows.
    @_noLocks @_noAllocation
    mutating func choose(_ offset: Int, _ part: Int, of frames: Int) {
        guard samples == nil else { return }
        if offset == 0 {
            guard isFed else { return }
            rt_copy(rows.row(3), rows.row(0), frames)
            rt_copy(rows.row(4), rows.row(1), frames)
            isInParts = true
        } else if isInParts {
            rt_copy(rows.row(0), rows.row(3) + offset, part)
            rt_copy(rows.row(1), rows.row(4) + offset, part)
            isFed = true
            if offset &+ part == frames { isInParts = false }
        }
    }

    /// The block as listeners hear it; nil when there is no input.
    ///
    /// - Parameters:
    ///   - takes: receive the input before and after its rack.
    ///   - sample: sample of the engine at which the block begins.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ reader: borrowing ParameterReader, takes: inout TakeTaps, at sample: Int64, block: Block
    ) -> InputView? {
        readClip(block.frames)
        if let heard = feed?.read(rows.row(0), rows.row(1), frames: block.frames) { isFed = heard }
        guard isFed else { return nil }
        let (left, right) = (rows.row(0), rows.row(1))
        measure(block.frames)
        takes.write(TakeSource.input.place, left, right, frames: block.frames, at: sample)
        let settings = InputSettings(
            gain: value(reader, .mute) != 0 ? 0 : value(reader, .gain), channels: Int(clamping: value(reader, .channels)))
        chain.process(left, right, settings, block: block)
        rack.process(left, right, frames: block.frames, tempo: block.tempo)
        takes.write(TakeSource.processedInput.place, left, right, frames: block.frames, at: sample)
        // When a device stops sending, the input is silent instead of repeating the last block.
        isFed = samples != nil
        return InputView(left: left, right: right)
    }

    /// Time at which the first of the last `frames` frames was at the converter of a device with its own clock; 0 without one.
    @_noLocks @_noAllocation
    mutating func captured(_ frames: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        feed?.captured(frames, at: begin, nanosecondsPerSample: nanosecondsPerSample) ?? 0
    }

    @_noLocks @_noAllocation
    private func value(_ reader: borrowing ParameterReader, _ parameter: InputParameter) -> Float {
        reader.target(parameters &+ parameter.rawValue)
    }

    @_noLocks @_noAllocation
    private mutating func readClip(_ frames: Int) {
        guard let samples else { return }
        let (left, right) = (rows.row(0), rows.row(1))
        for i in 0..<frames {
            left[i] = samples[2 &* place]
            right[i] = samples[2 &* place &+ 1]
            place = place &+ 1 == clipFrames ? 0 : place &+ 1
        }
        isFed = true
    }

    @_noLocks @_noAllocation
    private mutating func measure(_ frames: Int) {
        let (left, right, mean) = (rows.row(0), rows.row(1), rows.row(2))
        let rest = roundedToLanes(frames) &- frames
        rt_zero(left + frames, rest)
        rt_zero(right + frames, rest)
        var (peak, energy) = LevelMeter.measure(left, right, frames: frames)
        let verdict = range.admit(left, right, frames: frames, energy: energy[0] + energy[1])
        if !verdict.isPlausible {
            refused.note(verdict)
            (peak, energy) = LevelMeter.measure(left, right, frames: frames)
        }
        meters.raise(Meter.left, to: peak[0])
        meters.raise(Meter.right, to: peak[1])
        guard isTapped.isOn else { return }
        for i in 0..<frames { mean[i] = 0.5 * (left[i] + right[i]) }
        _ = tap.write(mean, frames: frames)
    }
}

/// Live input from a device with its own clock, resampled to the renderer's by the thread that records it.
///
/// Gaps are faded: sound begins with a block that fades in, and ends with one that fades out.
public struct InputFeed: ~Copyable, Sendable {
    private var frames: FrameRing.Consumer
    private var live: LiveFeed
    /// Interleaved frames of a block.
    private let block: Rows
    private var level: Float = 0

    /// - Parameters:
    ///   - frames: interleaved stereo at the engine's rate.
    ///   - live: keeps the frames in step with the converter.
    ///   - period: largest block, frames.
    public init(frames: consuming FrameRing.Consumer, live: consuming LiveFeed, period: Int) {
        precondition(frames.channels == 2)
        self.frames = frames
        self.live = live
        block = Rows(rows: 1, length: 2 * (period + 8))
    }

    /// Reads a block into both sides.
    /// - Returns: false when there is nothing to be heard.
    @_noLocks @_noAllocation
    mutating func read(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames count: Int) -> Bool {
        let target: Float = live.waits(&frames, for: count, isSilent: level == 0) ? 0 : 1
        guard level > 0 || target > 0 else { return false }
        let samples = block.row(0)
        let got = frames.read(samples, frames: count)
        live.noteRead(got)
        let ramp = Ramp(from: level, to: target, frames: max(1, got))
        for frame in 0..<count {
            let gain = frame < got ? ramp.value(at: frame) : 0
            left[frame] = frame < got ? gain * samples[2 &* frame] : 0
            right[frame] = frame < got ? gain * samples[2 &* frame &+ 1] : 0
        }
        level = target
        return true
    }

    /// Time at which the first of the last `count` frames was at the converter, CLOCK_MONOTONIC nanoseconds; 0 while there are none.
    @_noLocks @_noAllocation
    mutating func captured(_ count: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        live.captured(count, at: begin, nanosecondsPerSample: nanosecondsPerSample)
    }
}

/// A sound in memory that is looped instead of a sound device's input.
// SAFETY: written before it is handed over, and only read afterwards.
public final class InputClip: @unchecked Sendable {
    let samples: UnsafeMutablePointer<Float>
    public let frames: Int

    /// - Parameter interleaved: left, right, left, right at the engine's rate; at least one frame.
    public init(interleaved: [Float]) {
        precondition(interleaved.count >= 2)
        frames = interleaved.count / 2
        samples = .allocate(capacity: interleaved.count)
        samples.initialize(from: interleaved, count: interleaved.count)
    }

    deinit { samples.deallocate() }
}
