import Binaural
import Crossing
import Media
import Render

/// The recording that is loaded: opened, exchanged and asked where it is, all on the control thread.
final class Deck {
    private let outlet: FeedOutlet
    private let rate: Double
    private let report: @Sendable (String) -> Void
    /// Of the recording that may send; rises with each.
    private var ticket = 0
    private(set) var player: RecordingPlayer?

    /// - Parameters:
    ///   - rate: of the engine, frames per second.
    ///   - report: told of read errors in words, on the media thread.
    init(feeds: consuming Handover<SceneFeed>.Control, rate: Double, report: @escaping @Sendable (String) -> Void) {
        outlet = FeedOutlet(feeds)
        self.rate = rate
        self.report = report
    }

    /// Loads a recording; the one that plays goes on until this one can.
    /// - Throws: `MediaError`, with the old recording untouched.
    func load(_ path: String, loop: Bool) throws(MediaError) {
        // The array is needed before the player can hand out its first feed.
        let array = try RecordingReader(path: path).array
        let (ticket, outlet) = (ticket + 1, outlet)
        outlet.admit(ticket)
        let coming: RecordingPlayer
        do {
            coming = try RecordingPlayer(path: path, engineRate: rate, loop: loop, report: report) { feed in
                let number = feed.number
                outlet.send(SceneFeed(frames: feed.frames, array: array, number: number), ticket: ticket)
            }
        } catch {
            outlet.admit(self.ticket)
            throw error
        }
        self.ticket = ticket
        player?.stop()
        player = coming
    }

    /// Seconds in the recording, from what the renderer says it has used.
    func position(_ state: EngineFrame) -> Double? {
        player?.position(feed: state.feed, framesUsed: state.feedFrames)
    }
}
