/// A chromatic tuner on the live input.
public enum TunerParameter: Int, ParameterGroup {
    case run, reference, note, cents, frequency, mute

    public static let container = "/tuner"
    public static let summary = "A chromatic tuner on the live input, before gain and rack."
    public static var topic: Topic? { .effects }

    public var spec: ParameterSpec {
        switch self {
        case .run: .toggle("Tuner", "Measures the pitch of the live input.", role: .tunerRun)
        case .reference:
            .init(
                title: "Concert pitch", summary: "Frequency of the A above middle C.", unit: .hertz, range: 400...480,
                initial: .number(440))
        case .note: .text("Note", "Nearest note in equal temperament; empty while none is detected.", access: .read, role: .tunerNote)
        case .cents:
            .init(
                title: "Cents", summary: "Deviation from the note in hundredths of a semitone.", unit: .cent, range: -50...50,
                initial: .number(0), access: .read, role: .tunerCents)
        case .frequency: .gauge("Frequency", 0...5000, unit: .hertz, "Fundamental of the note; 0 while none is detected.")
        case .mute:
            .toggle("Mute output", "Silences every listener while tuning; not kept in sessions.", role: .tunerMute)
                .smoothed(.level).kept(.nothing)
        }
    }
}
