/// Processes stereo sound in place. The output is the sound of the effect alone, which a slot mixes with the dry sound.
///
/// The initializer allocates all memory. Every setting may jump at any block; the effect smooths it. An effect is used by one thread at a
/// time.
public protocol Effect: ~Copyable, Sendable {
    associatedtype Settings: EffectSettings

    /// True when ``reduction`` is measured, so that a meter can show it.
    static var measuresReduction: Bool { get }

    /// - Parameters:
    ///   - rate: frames per second, 8000 to 192,000.
    ///   - largestBlock: the most frames that one call of `process` handles.
    init(rate: Float, largestBlock: Int)

    /// - Parameters:
    ///   - settings: first settings. Those that are declared to rebuild the effect stay in force for as long as it exists.
    ///   - response: impulse response at `rate`, for effects that have a file; nil for silence.
    init(rate: Float, largestBlock: Int, settings: Settings, response: ResponseSpectra?)

    /// Delay of the output in samples. It stays the same for as long as the effect exists.
    var latency: Int { get }

    /// Largest gain reduction in the last block, in dB, 0 or greater.
    var reduction: Float { get }

    /// Samples after the end of the input until the output is below -60 dB.
    func tail(_ settings: Settings) -> Int

    /// Clears all state: sound, and the positions of smoothed settings.
    mutating func reset()

    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole lanes; samples beyond `frames` are overwritten.
    ///   - frames: at most the largest block.
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings)
}

extension Effect where Self: ~Copyable {
    public static var measuresReduction: Bool { false }

    public init(rate: Float, largestBlock: Int, settings: Settings, response: ResponseSpectra?) {
        self.init(rate: rate, largestBlock: largestBlock)
    }

    public var reduction: Float { @_noLocks @_noAllocation get { 0 } }
}
