internal import DSP

/// The law by which the sound follows a changed value.
public enum Smoothing: Sendable, Equatable {
    /// From the next block on, or for the next event: a cue, a beat.
    case none
    /// A straight line from the old value to the new one across the next block.
    case block
    /// A crossfade that takes `seconds`, from the sound with the old value to the sound with the new one.
    case crossfade(seconds: Float)
    /// A one-pole low-pass: the distance to the new value shrinks to 1/e in `seconds`.
    case onePole(seconds: Float)
    /// A glide without steps of its speed, which is limited. The centre of gravity of a small change is `seconds` after its beginning.
    case glide(seconds: Float)

    /// Levels, switches of sound and crossovers.
    public static let level = onePole(seconds: SmoothingTime.level)
    /// Methods, and the places of microphones.
    public static let fade = crossfade(seconds: SmoothingTime.crossfade)
    /// Bypass and mix of a rack's slots and branches.
    public static let slot = onePole(seconds: SmoothingTime.slot)
    /// Filters of the method `hrtf`: the crossfade takes one of its frames.
    public static let filters = crossfade(seconds: 128.0 / 48_000)
    /// Numbers of an effect.
    public static let effect = onePole(seconds: SmoothingTime.effect)
    /// Delay times of an effect, whose changes are heard as changes of pitch.
    public static let delay = glide(seconds: SmoothingTime.delay)
    /// Depth of slow modulation.
    public static let modulation = onePole(seconds: SmoothingTime.modulation)

    /// The law and its time, as shown in the table of parameters.
    public var description: String {
        func milliseconds(_ seconds: Float) -> String { "\(ParameterSpec.plainWords(seconds * 1000)) ms" }
        return switch self {
        case .none: ""
        case .block: "line, one block"
        case .crossfade(let seconds): "crossfade, \(milliseconds(seconds))"
        case .onePole(let seconds): "one-pole, \(milliseconds(seconds))"
        case .glide(let seconds): "glide, \(milliseconds(seconds))"
        }
    }
}
