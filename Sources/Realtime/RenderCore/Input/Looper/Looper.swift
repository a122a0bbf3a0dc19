internal import CRealtime
internal import DSP

/// Records the live input as a loop, plays it, and overdubs it, with one step of undo.
///
/// Every beginning and end is a linear fade of 5 ms; those of a recording overlap at the seam, so that a steady tone of a whole number of
/// periods continues without a step. An overdub adds to a copy of the loop that is made while it plays; the loop before it stays as it was.
package struct Looper: ~Copyable, Sendable {
    enum Phase: BitwiseCopyable { case empty, waiting, recording, playing, stopped }
    enum Ending: BitwiseCopyable { case none, stop, clear }

    /// Longest loop, seconds.
    package static let longest = 60

    let layers: LoopLayers
    private let rows: Rows
    private var level = Smoother()
    /// Frames of a fade.
    let fade: Int

    var phase = Phase.empty
    var settings = LooperSettings()
    /// Frames recorded so far, and the length at which the recording ends.
    var recorded = 0
    var closeAt = 0
    /// Frames of the loop.
    var length = 0
    /// Place that is heard next, halves of a frame.
    var position = 0
    var isHalfSpeed = false
    /// Frames until the end of the recording has faded out, at the beginning of the loop.
    var closing = 0
    var overdubsAfterClosing = false
    /// Completed frames of the fade with which the loop is heard.
    var audible = 0
    var ending = Ending.none
    /// The layer that is heard.
    var current = 0
    /// Frames of the fade from the other layer.
    var exchange = 0
    /// The layer that overdubs are added to, completed frames of the fade with which they are, and whether one is going on.
    var written = 0
    var overdub = 0
    var isOverdubbing = false
    /// Place and number of the frames that are still to be copied to `written`.
    var copyAt = 0
    var copyLeft = 0
    package internal(set) var canUndo = false
    package internal(set) var canRedo = false
    /// Whether playing or overdubbing waits for the gate.
    var awaitsPlay = false
    var awaitsOverdub = false

    /// - Parameters:
    ///   - capacity: longest loop, frames.
    ///   - rate: frames per second; `period`: largest block, frames.
    package init(capacity: Int, rate: Float, period: Int) {
        fade = max(16, Int(clamping: rate * 0.005))
        layers = LoopLayers(capacity: max(8 * fade, capacity))
        rows = Rows(rows: 2, length: period)
    }

    package var state: LooperState {
        @_noLocks @_noAllocation get {
            if awaitsPlay || awaitsOverdub { return .waiting }
            return switch phase {
            case .empty: .empty
            case .waiting: .waiting
            case .recording: .recording
            case .playing: isOverdubbing ? .overdubbing : .playing
            case .stopped: .stopped
            }
        }
    }

    var isPlaying: Bool {
        @_noLocks @_noAllocation get { if case .playing = phase { true } else { false } }
    }

    /// Whether the loop fades out, to be stopped or cleared.
    var isEnding: Bool {
        @_noLocks @_noAllocation get { if case .none = ending { false } else { true } }
    }

    /// Length of the loop, or of the recording so far, frames.
    package var frames: Int {
        @_noLocks @_noAllocation get {
            if case .recording = phase { recorded } else { length }
        }
    }

    /// Place in the loop, 0 to 1.
    package var share: Float {
        @_noLocks @_noAllocation get { length > 0 ? Float(position) / Float(2 &* length) : 0 }
    }

    /// Adds the loop to the live input, and records this; returns `input` itself when there is nothing to do.
    @_noLocks @_noAllocation
    package mutating func process(_ input: InputView?, _ settings: LooperSettings, block: Block) -> InputView? {
        self.settings = settings
        let gains = level.ramp(to: settings.level, share: block.gainShare, frames: block.frames, tolerance: 1e-5)
        if case .empty = phase { return input }
        let (left, right) = (rows.row(0), rows.row(1))
        if let input {
            rt_copy(left, input.left, block.frames)
            rt_copy(right, input.right, block.frames)
        } else {
            rt_zero(left, block.frames)
            rt_zero(right, block.frames)
        }
        copyAhead(block.frames)
        if settings.isHalfSpeed { isOverdubbing = false }
        let gate = settings.gate ?? block.frames
        run(left, right, gains, from: 0, to: min(gate, block.frames))
        if gate < block.frames { openGate(block.frames) }
        run(left, right, gains, from: min(gate, block.frames), to: block.frames)
        return InputView(left: left, right: right)
    }

    @_noLocks @_noAllocation
    private mutating func run(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ gains: Ramp, from: Int, to: Int
    ) {
        var at = from
        while at < to {
            switch phase {
            case .empty, .waiting, .stopped: return
            case .recording: at = record(left, right, at, to)
            case .playing: at = isSteady ? play(left, right, gains, at, to) : step(left, right, gains.value(at: at), at)
            }
        }
    }

    /// Records until the block or the recording ends; returns the next frame.
    @_noLocks @_noAllocation
    private mutating func record(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ at: Int, _ to: Int
    ) -> Int {
        let count = min(to &- at, closeAt &- recorded)
        let (lefts, rights) = (layers.row(0, 0) + recorded, layers.row(0, 1) + recorded)
        rt_copy(lefts, left + at, count)
        rt_copy(rights, right + at, count)
        for i in 0..<max(0, min(count, fade &- recorded)) {
            let gain = Float(recorded &+ i) / Float(fade)
            lefts[i] *= gain
            rights[i] *= gain
        }
        recorded = recorded &+ count
        if recorded == closeAt { close() }
        return at &+ count
    }

    /// Whether the loop plays at full speed, without a fade or an overdub.
    private var isSteady: Bool {
        @_noLocks @_noAllocation get {
            let isWhole = closing == 0 && exchange == 0 && audible == fade && !isEnding
            return isWhole && overdub == 0 && !isOverdubbing && !isHalfSpeed && !settings.isHalfSpeed
        }
    }

    /// Plays until the block or the loop ends; returns the next frame.
    @_noLocks @_noAllocation
    private mutating func play(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ gains: Ramp, _ at: Int, _ to: Int
    ) -> Int {
        let place = position >> 1
        let count = min(to &- at, length &- place)
        let (lefts, rights) = (layers.row(current, 0) + place, layers.row(current, 1) + place)
        for i in 0..<count {
            let gain = gains.value(at: at &+ i)
            left[at &+ i] += gain * lefts[i]
            right[at &+ i] += gain * rights[i]
        }
        position = place &+ count == length ? 0 : position &+ 2 &* count
        return at &+ count
    }

    /// Plays, fades and overdubs one frame; returns the next one.
    @_noLocks @_noAllocation
    private mutating func step(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ gain: Float, _ at: Int
    ) -> Int {
        let input = SIMD2(left[at], right[at])
        var heard = layers.frame(current, position, length: length)
        if exchange > 0 {
            let share = Float(exchange) / Float(fade)
            heard += share * (layers.frame(1 &- current, position, length: length) - heard)
            exchange = exchange &- 1
        }
        heard *= gain * Float(audible) / Float(fade)
        left[at] += heard[0]
        right[at] += heard[1]
        write(input)
        if !isEnding { audible = min(fade, audible &+ 1) } else { audible = audible &- 1 }
        position = position &+ (isHalfSpeed ? 1 : 2)
        if position >= 2 &* length { position = position &- 2 &* length }
        // Speeds change at whole frames only, where both have the same sample.
        let isFree = overdub == 0 && closing == 0 && position & 1 == 0
        if isFree { isHalfSpeed = settings.isHalfSpeed }
        if audible <= 0 && isEnding { finish() }
        return at &+ 1
    }

    /// Adds a frame of the input to the loop: the end of the recording, and overdubs. The frame was heard before.
    @_noLocks @_noAllocation
    private mutating func write(_ input: SIMD2<Float>) {
        if closing > 0 {
            add(input, to: current, share: Float(closing) / Float(fade))
            closing = closing &- 1
            if closing == 0 && overdubsAfterClosing { beginOverdub(1) }
        } else if overdub > 0 || isOverdubbing {
            add(input, to: written, share: Float(overdub) / Float(fade))
            overdub = isOverdubbing ? min(fade, overdub &+ 1) : overdub &- 1
        }
    }

    @_noLocks @_noAllocation
    private func add(_ input: SIMD2<Float>, to layer: Int, share: Float) {
        layers.row(layer, 0)[position >> 1] += share * input[0]
        layers.row(layer, 1)[position >> 1] += share * input[1]
    }
}
