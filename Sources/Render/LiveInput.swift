internal import CRealtime
internal import Crossing
internal import DSP
internal import Parameters
internal import Rack

/// What comes in live, through its gain and its rack, once per block for all listeners.
struct LiveInput: ~Copyable, Sendable {
    /// Places in the row of what is reported.
    enum Meter {
        static var left: Int { @_noLocks @_noAllocation get { 0 } }
        static var right: Int { @_noLocks @_noAllocation get { 1 } }
        static var count: Int { 2 }
    }

    private let rows: Rows
    private let clip: InputClip?
    // SAFETY: samples of `clip`, which this value holds; nil when there is none.
    private nonisolated(unsafe) let samples: UnsafePointer<Float>?
    private let clipFrames: Int
    private var place = 0
    private var rack: LiveRack
    private var tap: FrameRing.Producer
    private let isTapped: Gate.Realtime
    private let owner: SharedRow
    private let meters: SharedRow.View
    /// First of the input's parameters.
    private let slots: Int
    private var gain: Float = -1
    private var isFed = false
    /// The rest of a block waits in the last two rows.
    private var isInParts = false
    private var matrix = SIMD4<Float>(1, 0, 0, 1)

    /// - Parameters:
    ///   - clip: what is played instead of a sound card's input.
    ///   - tap: the mean of both sides before gain, for the tuner, while `isTapped` is open.
    init(
        clip: InputClip?, plans: consuming Handover<RackPlan>.Realtime, tap: consuming FrameRing.Producer,
        isTapped: consuming Gate.Realtime, meters: SharedRow, slots: Int, rate: Float, period: Int
    ) {
        rows = Rows(rows: 5, length: period)
        self.clip = clip
        samples = clip.map { UnsafePointer($0.samples) }
        clipFrames = clip?.frames ?? 0
        rack = LiveRack(plans: plans, rate: rate, largestBlock: period)
        self.tap = tap
        self.isTapped = isTapped
        owner = meters
        self.meters = meters.view
        self.slots = slots
    }

    /// Samples that its rack adds.
    var latency: Int { @_noLocks @_noAllocation get { rack.latency } }

    /// A block of a sound card's input; it counts for the block that is rendered next.
    @_noLocks @_noAllocation
    mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
        guard samples == nil else { return }
        rt_copy(rows.row(0), left, frames)
        rt_copy(rows.row(1), right, frames)
        isFed = true
    }

    /// A block is rendered in parts: the next one begins at `offset` and has so many frames.
    ///
    /// Rendering works in place, on the first frames of the rows, and writes beyond them; what comes later is kept apart.
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

    /// The block as listeners hear it; nil when there is no input at all.
    @_noLocks @_noAllocation
    mutating func prepare(_ parameters: borrowing ParameterReader, block: Block) -> InputView? {
        readClip(block.frames)
        guard isFed else { return nil }
        let (left, right) = (rows.row(0), rows.row(1))
        measure(block.frames)
        let isMuted = parameters.target(slots &+ InputParameter.mute.rawValue) != 0
        let wanted = isMuted ? 0 : parameters.target(slots &+ InputParameter.gain.rawValue)
        if gain < 0 { gain = wanted }
        let before = matrix * gain
        gain += (wanted - gain) * block.gainShare
        if abs(wanted - gain) < 1e-5 { gain = wanted }
        let choice = Self.matrix(Int(parameters.target(slots &+ InputParameter.channels.rawValue)))
        matrix += (choice - matrix) * block.gainShare
        let step = (matrix * gain - before) / Float(block.frames)
        for i in 0..<block.frames {
            let m = before + step * Float(i &+ 1)
            let (l, r) = (left[i], right[i])
            left[i] = m[0] * l + m[1] * r
            right[i] = m[2] * l + m[3] * r
        }
        rack.process(left, right, frames: block.frames, tempo: block.tempo)
        // A card that stops sending is silent, not a block for ever.
        isFed = samples != nil
        return InputView(left: left, right: right)
    }

    /// Of both outputs, what they have of left and right.
    @_noLocks @_noAllocation
    private static func matrix(_ choice: Int) -> SIMD4<Float> {
        switch choice {
        case 1: SIMD4(1, 0, 1, 0)
        case 2: SIMD4(0, 1, 0, 1)
        case 3: SIMD4(0.5, 0.5, 0.5, 0.5)
        default: SIMD4(1, 0, 0, 1)
        }
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
        let peak = Levels.measure(left, right, frames: frames).peak
        meters.raise(Meter.left, to: peak[0])
        meters.raise(Meter.right, to: peak[1])
        guard isTapped.isOpen else { return }
        for i in 0..<frames { mean[i] = 0.5 * (left[i] + right[i]) }
        _ = tap.write(mean, frames: frames)
    }
}
