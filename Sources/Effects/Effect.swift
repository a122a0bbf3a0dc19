/// The plain numbers an effect is set to, all in natural units.
///
/// Nothing but `Float`s, stored in the order in which the effect's parameters are declared, so that a row of
/// parameter values is such a value: a toggle is on above 0.5, a choice is its number.
public protocol EffectSettings: BitwiseCopyable, Sendable, Equatable {
    /// What every parameter begins with.
    init()
}

extension EffectSettings {
    /// How many numbers there are.
    public static var count: Int { MemoryLayout<Self>.size / MemoryLayout<Float>.size }
}

/// Stereo sound in, stereo sound out, in place.
///
/// All memory is allocated when it is made; every setting may jump at any block and is smoothed inside. For one
/// thread at a time.
public protocol Effect: ~Copyable, Sendable {
    associatedtype Settings: EffectSettings

    /// - Parameters:
    ///   - rate: frames per second, 8000 to 192,000.
    ///   - largestBlock: frames that one call of `process` handles at most.
    init(rate: Float, largestBlock: Int)

    /// Samples by which all of the output, dry sound included, is late.
    var latency: Int { get }

    /// Samples after the end of the input until the output is under -60 dB.
    func tail(_ settings: Settings) -> Int

    /// Forgets the past: sound, and where smoothing was.
    mutating func reset()

    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole ``Lanes``; what lies behind is spoilt.
    ///   - frames: at most the largest block.
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings)
}
