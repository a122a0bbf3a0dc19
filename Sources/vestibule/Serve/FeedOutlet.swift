import Binaural
import Crossing
import Media
import Render
import Synchronization

/// Where recordings hand their feeds to the renderer, and the control side its edits of the array. Only the recording
/// that is loaded now gets through.
final class FeedOutlet: Sendable {
    /// What the microphones of the admitted recording are taken to be.
    private struct Setting {
        var array = MicrophoneArray.uniform(count: 1)
        var calibration = Calibration()
        /// Rises with every change.
        var version: Int64 = 0
    }

    private struct State: ~Copyable {
        var feeds: Handover<SceneFeed>.Control
        var arrays: Handover<ArrayEdit>.Control
        var current = 0
        var setting = Setting()
        /// An edit did not get through.
        var isOwing = false
    }

    private let state: Mutex<State>

    init(_ feeds: consuming Handover<SceneFeed>.Control, _ arrays: consuming Handover<ArrayEdit>.Control) {
        state = Mutex(State(feeds: feeds, arrays: arrays))
    }

    /// Opens the outlet for the recording with this ticket and closes it for all others.
    func admit(_ ticket: Int, _ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.current = ticket
            $0.setting = Setting(array: array, calibration: calibration, version: $0.setting.version + 1)
        }
    }

    /// Sends a feed, if it comes from the recording that is admitted.
    func send(_ frames: consuming FrameRing.Consumer, number: Int64, start: Int64, ticket: Int) {
        // The weights of the ring are worked out here, outside the lock, on the thread that reads the recording.
        guard let setting = state.withLock({ $0.current == ticket ? $0.setting : nil }) else { return }
        var feed: SceneFeed? = SceneFeed(
            frames: frames, array: setting.array, calibration: setting.calibration, number: number, start: start,
            version: setting.version)
        state.withLock {
            guard $0.current == ticket, let feed = feed.take() else { return }
            _ = $0.feeds.send(feed)
        }
    }

    /// Changes the array of the recording that plays.
    func edit(_ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.setting = Setting(array: array, calibration: calibration, version: $0.setting.version + 1)
            $0.isOwing = true
        }
        retry()
    }

    /// Sends the latest edit, if it has not got through.
    func retry() {
        guard let setting = state.withLock({ $0.isOwing ? $0.setting : nil }) else { return }
        var edit: ArrayEdit? = ArrayEdit(
            RingLookup(setting.array, calibration: setting.calibration), version: setting.version)
        state.withLock {
            guard let edit = edit.take() else { return }
            $0.isOwing = !$0.arrays.send(edit)
        }
    }
}
