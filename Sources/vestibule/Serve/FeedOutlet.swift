import Binaural
import Crossing
import Media
import Render
import Synchronization

/// Where recordings hand their feeds to the renderer. Only the recording that is loaded now gets through.
final class FeedOutlet: Sendable {
    private struct State: ~Copyable {
        var feeds: Handover<SceneFeed>.Control
        var current = 0
    }

    private let state: Mutex<State>

    init(_ feeds: consuming Handover<SceneFeed>.Control) { state = Mutex(State(feeds: feeds)) }

    /// Opens the outlet for the recording with this ticket and closes it for all others.
    func admit(_ ticket: Int) { state.withLock { $0.current = ticket } }

    /// Sends a feed, if it comes from the recording that is admitted.
    func send(_ feed: consuming SceneFeed, ticket: Int) {
        var feed: SceneFeed? = feed
        state.withLock {
            guard $0.current == ticket, let feed = feed.take() else { return }
            _ = $0.feeds.send(feed)
        }
    }
}
