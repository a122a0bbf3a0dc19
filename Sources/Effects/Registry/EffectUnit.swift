internal import CRealtime

/// One effect of any kind, set by a row of numbers in the order of its parameters.
public struct EffectUnit: ~Copyable, Sendable {
    public let kind: EffectKind
    /// Delay of the output in samples.
    public let latency: Int
    /// Largest gain reduction in the last block, in dB, 0 or greater; 0 for effects that do not measure it.
    public private(set) var reduction: Float = 0
    private let call: rt_function
    // SAFETY: points to one effect of `kind`, owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let effect: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: the most frames that one call of `process` handles.
    ///   - response: impulse response at `rate`, for effects that have one; nil is silence.
    public init(_ kind: EffectKind, rate: Float, largestBlock: Int, response: ResponseSpectra? = nil) {
        self.kind = kind
        call = kind.call
        (effect, latency) = kind.make(rate, largestBlock, response)
    }

    deinit { kind.free(effect) }

    /// Samples after the end of the input until the output is below -60 dB.
    ///
    /// - Parameters:
    ///   - values: one number for each parameter that is one.
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
    ///   - values: one number for each parameter that is one.
    ///   - tempo: beats per minute.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
        values: UnsafePointer<Float>, tempo: Float
    ) {
        var block = EffectCall(.process, of: effect)
        block.values = values
        block.tempo = tempo
        block.left = left
        block.right = right
        block.frames = frames
        rt_call(call, &block)
        reduction = block.reduction
    }
}
