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
            .text("Add recording", "Name of a recording that becomes the last of the playlist.", access: .write, role: .deckAdd)
        case .remove: .place("Remove recording", "Its place in the playlist, from 1.", role: .deckRemove)
        case .move:
            .vector(
                "Move recording", ["from", "to"], 1...Float(Self.most), initial: [1, 1], unit: .none,
                "Present and new place in the playlist, from 1.", access: .write, role: .deckMove
            ).whole
        case .clear:
            .impulse("Remove all recordings", "Empties the playlist. The recording that plays continues.", role: .deckClear)
        default: playing
        }
    }

    private var playing: ParameterSpec {
        switch self {
        case .play: .place("Play recording", "Its place in the playlist, from 1.", role: .deckPlay)
        case .next: .impulse("Next recording", "Changes to the recording after the present one.", role: .deckNext)
        case .previous: .impulse("Previous recording", "Changes to the recording before the present one.", role: .deckPrevious)
        case .repeat:
            .choice(
                "Repeat", Self.repeats,
                "After a recording: the next one (none), the same one again (one), or the next one and the first after the last (all). "
                    + "Loop has no effect in the playlist.", role: .deckRepeat
            ).kept(.session)
        case .crossfade:
            .seconds(
                "Crossfade", 0...Float(Self.longestCrossfade),
                "Time in which one recording of the playlist passes into the next; with 0, the first frame of one follows the last of the "
                    + "other.", role: .deckCrossfade
            ).kept(.session)
        default:
            .init(
                title: "Present recording", summary: "Place in the playlist of the recording that is loaded; 0 for none.", kind: .integer,
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
