/// A room.
public enum ReverbParameter: Int, ParameterGroup {
    case decay, size, preDelay, damping, bass, modulation, width, mix

    public static let container = "/slot/{n}/reverb"
    public static let summary = "A room."

    public var spec: ParameterSpec {
        switch self {
        case .decay: .duration("Decay", 0.1...20, initial: 1.8, "Until middle frequencies are 60 dB down.")
        case .size: .amount("Size", 0.3...2, initial: 1, logarithmic: true, "Of the room; 1 is a hall.")
        case .preDelay: .time("Pre-delay", 0...200, initial: 15, "Before the first of it.", logarithmic: false)
        case .damping: .share("Damping", initial: 0.5, "How much sooner high frequencies are gone.")
        case .bass:
            .amount("Bass", 0.3...2, initial: 1, logarithmic: true, "Decay of low frequencies against the middle.")
        case .modulation: .share("Modulation", initial: 0.3, "How far the lines sway, against ringing.")
        case .width: .share("Width", initial: 1, "From mono to as different as it is on both sides.")
        case .mix: .share("Mix", initial: 0.25, "Share of the room.")
        }
    }
}
