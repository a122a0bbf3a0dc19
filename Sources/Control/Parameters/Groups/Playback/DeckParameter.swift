/// The list of recordings that play one after the other.
public enum DeckParameter: Int, ParameterGroup {
    case list, add, remove, move, clear, play, next, previous, `repeat`, crossfade, current

    public static let container = "/deck"
    public static let summary = "A list of recordings that play one after the other."
    public static var topic: Topic? { .session }
    /// The largest number of recordings.
    public static let most = 200
    /// Bytes of the whole list, which one datagram holds.
    private static let longest = 4096
    /// Names of ``repeat``; the first repeats nothing.
    public static let repeats = ["none", "one", "all"]
    public static let longestCrossfade = 10

    public var spec: ParameterSpec {
        switch self {
        case .list:
            .text(
                "Playlist", "Names of recordings in the recordings folder, one per line, in the order in which they play.", role: .deckList
            )
            .kept(.session).limited(to: Self.longest)
        case .add:
            .text("Add recording", "Appends the recording with this name to the playlist.", access: .write, role: .deckAdd)
        case .remove: .place("Remove recording", "Removes the recording at this place, counted from 1.", role: .deckRemove)
        case .move:
            .vector(
                "Move recording", ["from", "to"], 1...Float(Self.most), initial: [1, 1], unit: .none,
                "Moves a recording: its present and its new place, counted from 1.", access: .write, role: .deckMove
            ).whole
        case .clear:
            .impulse("Remove all recordings", "Empties the playlist. The recording that plays continues.", role: .deckClear)
        default: playing
        }
    }

    private var playing: ParameterSpec {
        switch self {
        case .play: .place("Play recording", "Plays the recording at this place, counted from 1.", role: .deckPlay)
        case .next: .impulse("Next recording", "Changes to the recording after the current one.", role: .deckNext)
        case .previous: .impulse("Previous recording", "Changes to the recording before the current one.", role: .deckPrevious)
        case .repeat:
            .choice(
                "Repeat", Self.repeats,
                "none: stop after the last recording; one: repeat the current one; all: start again after the last one. Loop has no effect "
                    + "in the playlist.", role: .deckRepeat
            ).kept(.session)
        case .crossfade:
            .seconds(
                "Crossfade", 0...Float(Self.longestCrossfade),
                "Duration of the crossfade between recordings of the playlist; with 0 they "
                    + "follow each other without a gap.", role: .deckCrossfade
            ).kept(.session)
        default:
            .init(
                title: "Current recording", summary: "Place in the playlist of the recording that is loaded; 0 for none.", kind: .integer,
                range: 0...Float(Self.most), initial: .number(0), access: .read, role: .deckCurrent)
        }
    }
}

extension ParameterSpec {
    fileprivate static func place(_ title: String, _ summary: String, role: Role) -> Self {
        .init(
            title: title, summary: summary, kind: .integer, range: 1...Float(DeckParameter.most), initial: .number(1), access: .write,
            role: role)
    }
}
