internal import CRealtime
public import DSP

/// One effect of any kind, set by a row of numbers in the order of its parameters.
///
/// Its output stays in the `SoundRange`: an effect that leaves it, because of a corrupt state or an excessive gain, is cleared and fades in
/// again. An effect that leaves it again within ``pause`` is silent until then.
public struct EffectUnit: ~Copyable, Sendable {
    public let kind: EffectKind
    /// Delay of the output in samples.
    public let latency: Int
    /// Largest gain reduction in the last block, in dB, 0 or greater; 0 for effects that do not measure it.
    public private(set) var reduction: Float = 0
    /// Number of times that the effect was cleared because its output had left the range.
    public private(set) var counts = RangeCounts()
    /// Shortest time between two clearances, seconds: long delays take a while to clear.
    public static var pause: Float { @_noLocks @_noAllocation get { 0.05 } }

    private var range: RangeGuard
    private let pauseFrames: Int
    /// Frames since the last clearance.
    private var age: Int
    private var isPaused = false
    private let call: rt_function
    // SAFETY: points to one effect of `kind`, owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let effect: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: the most frames that one call of `process` handles.
    ///   - values: first values of the numbers; nil for the initial ones.
    ///   - response: impulse response at `rate`, for effects that have one; nil is silence.
    public init(
        _ kind: EffectKind, rate: Float, largestBlock: Int, values: [Float]? = nil, response: ResponseSpectra? = nil
    ) {
        self.kind = kind
        call = kind.call
        (effect, latency) = kind.make(rate, largestBlock, values ?? kind.initial, response)
        range = RangeGuard(rate: rate)
        pauseFrames = Int(clamping: rate * Self.pause)
        age = pauseFrames
    }

    deinit { kind.free(effect) }

    /// Samples after the end of the input until the output is below -60 dB.
    ///
    /// - Parameters:
    ///   - values: one number for each numeric parameter.
    ///   - tempo: beats per minute.
    @_noLocks @_noAllocation
    public func tail(_ values: UnsafePointer<Float>, tempo: Float) -> Int {
        var tail = EffectCall(.tail, of: effect)
        tail.values = values
        tail.tempo = tempo
        rt_call(call, &tail)
        return tail.tail
    }

    /// Clears all state.
    @_noLocks @_noAllocation
    public mutating func reset() {
        var reset = EffectCall(.reset, of: effect)
        rt_call(call, &reset)
        reduction = 0
    }

    /// Processes one block in place.
    ///
    /// - Parameters:
    ///   - values: one number for each numeric parameter.
    ///   - tempo: beats per minute.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
        values: UnsafePointer<Float>, tempo: Float
    ) {
        age = min(pauseFrames, age &+ frames)
        guard !isPaused || age == pauseFrames else { return range.replace(left, right, frames: frames) }
        if isPaused { clear() }
        isPaused = false
        var block = EffectCall(.process, of: effect)
        block.values = values
        block.tempo = tempo
        block.left = left
        block.right = right
        block.frames = frames
        rt_call(call, &block)
        reduction = block.reduction
        let verdict = range.admit(left, right, frames: frames)
        if !verdict.isPlausible { heal(verdict) }
    }

    /// Clears the effect now or, when it was cleared less than ``pause`` ago, once that time has passed.
    @_noLocks @_noAllocation @inline(never)
    private mutating func heal(_ verdict: SoundRange.Verdict) {
        counts.note(verdict)
        isPaused = age < pauseFrames
        if isPaused { reduction = 0 } else { clear() }
    }

    @_noLocks @_noAllocation
    private mutating func clear() {
        reset()
        age = 0
    }
}
