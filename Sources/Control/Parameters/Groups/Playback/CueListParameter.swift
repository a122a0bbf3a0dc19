/// The cue list: cues that an operator fires one after the other, and cues that fire automatically.
public enum CueListParameter: Int, ParameterGroup {
    case go, back, select, fire, stop, store, remove, renumber, clear, triggers, current, standby, waiting, remaining

    public static let container = "/cue-list"
    public static let summary = "A list of cues, in the order of their numbers, fired by hand, by time, by position or by a message."
    public static var topic: Topic? { .session }
    /// Range of cue numbers, which have two decimals.
    public static let numbers: ClosedRange<Float> = 0.01...9999.99
    /// Bytes of a name: 60 characters of up to four.
    private static let longestName = 240

    public var spec: ParameterSpec {
        switch self {
        case .go: .impulse("Go", "Fires the cue on standby, and puts the next one on standby.", role: .cueListGo)
        case .back: .impulse("Back", "Moves standby to the previous cue. Nothing is fired or undone.", role: .cueListBack)
        case .select:
            .text("Select cue", "Number or name of the cue to put on standby; empty for the first.", access: .write, role: .cueListSelect)
                .limited(to: Self.longestName).numbersAsText
        case .fire:
            .text("Fire cue", "Its number or name.", access: .write, role: .cueListFire).limited(to: Self.longestName)
                .numbersAsText
        case .stop:
            .impulse(
                "Stop all", "Ends waits and follow-ons, halts the crossfade, and silences short sounds and the recording.",
                role: .cueListStop)
        case .triggers:
            .toggle("Automatic triggers", initial: true, "Whether cues fire by time of day and by position.", role: .cueListTriggers)
                .kept(.session)
        case .current:
            .text("Current cue", "Number and name of the cue fired last; empty for none.", access: .read, role: .cueListCurrent)
        case .standby:
            .text("Standby cue", "Number and name of the cue that Go fires next; empty for none.", access: .read, role: .cueListStandby)
        case .waiting:
            .text(
                "Waiting cues", "Numbers of the cues that are waiting to fire, one per line.", access: .read,
                role: .cueListWaiting)
        case .remaining:
            .gauge(
                "Remaining wait", 0...86_400, unit: .second, "Time until the next waiting cue acts; 0 for none of known time.",
                role: .cueListRemaining)
        default: editing
        }
    }

    private var editing: ParameterSpec {
        switch self {
        case .store:
            .text(
                "Store cue", "Stores a cue, given as a line of text; it replaces the cue with the same number.", access: .write,
                role: .cueListStore
            )
            .limited(to: CueListEntryParameter.longest)
        case .remove:
            .text("Remove cue", "Its number or name.", access: .write, role: .cueListRemove).limited(to: Self.longestName)
                .numbersAsText
        case .renumber:
            .vector(
                "Renumber cue", ["from", "to"], Self.numbers, initial: [1, 1], unit: .none,
                "Present and new number of a cue; if another cue has the new number, they are exchanged.", access: .write,
                role: .cueListRenumber)
        default: .impulse("Remove all cues", "Empties the list.", role: .cueListClear)
        }
    }
}
