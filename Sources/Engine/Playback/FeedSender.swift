import Binaural
import Crossing
import Media
import Render
import Synchronization

/// Sends the renderer the feeds of the present recording, and edits of its array. Feeds of former recordings are dropped.
final class FeedSender: Sendable {
    /// The microphones of the present recording.
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
        /// Whether an edit did not get through.
        var isPending = false
    }

    private let state: Mutex<State>
    private let workers: [ArraySender]
    private let designs = SerialWork(name: "array")
    private let tickets = Atomic<Int>(0)
    /// The engine's rate, frames per second.
    private let rate: Float

    /// - Parameters:
    ///   - workers: arrays of the workers that render network listeners.
    ///   - rate: of the engine, frames per second.
    init(
        _ feeds: consuming Handover<SceneFeed>.Control, _ arrays: consuming Handover<ArrayEdit>.Control, workers: [ArraySender],
        rate: Double
    ) {
        self.rate = Float(rate)
        state = Mutex(State(feeds: feeds, arrays: arrays))
        self.workers = workers
    }

    /// The number of a further recording.
    func nextTicket() -> Int { tickets.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Admits the feeds of the recording with this ticket, and of no other.
    func admit(_ ticket: Int, _ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.current = ticket
            $0.setting = Setting(array: array, calibration: calibration, version: $0.setting.version + 1)
        }
    }

    /// Sends a feed, if it belongs to the admitted recording.
    func send(_ frames: consuming FrameRing.Consumer, number: Int64, start: Int64, ticket: Int) {
        // The ring's weights are computed outside the lock, on the thread that reads the recording.
        guard let setting = state.withLock({ $0.current == ticket ? $0.setting : nil }) else { return }
        share(setting)
        var feed: SceneFeed? = SceneFeed(
            frames: frames, array: setting.array, calibration: setting.calibration, rate: rate, number: number, start: start,
            version: setting.version)
        state.withLock {
            guard $0.current == ticket, let feed = feed.take() else { return }
            _ = $0.feeds.send(feed)
        }
    }

    /// Changes the array of the present recording. Its weights and filters are designed on a thread of their own; of edits that
    /// come faster, the latest is designed.
    func edit(_ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.setting = Setting(array: array, calibration: calibration, version: $0.setting.version + 1)
            $0.isPending = true
        }
        designs.add { [self] in sendEdit() }
    }

    /// Sends again what there was no room for.
    func retry() {
        let (isPending, version) = state.withLock { ($0.isPending, $0.setting.version) }
        guard isPending || version > 0 && !workers.allSatisfy({ $0.has(version) }), !designs.isBusy else { return }
        designs.add { [self] in sendEdit() }
    }

    /// Sends the workers an array before the audio thread gets it.
    private func share(_ setting: Setting) {
        for worker in workers { worker.send(setting.array, setting.calibration, version: setting.version) }
    }

    /// Designs and sends the latest edit.
    private func sendEdit() {
        let (setting, isPending) = state.withLock { ($0.setting, $0.isPending) }
        share(setting)
        guard isPending else { return }
        var edit: ArrayEdit? = ArrayEdit(
            RingLookup(setting.array, calibration: setting.calibration, rate: rate), version: setting.version)
        state.withLock {
            // A later edit follows.
            guard $0.setting.version == setting.version, let edit = edit.take() else { return }
            $0.isPending = !$0.arrays.send(edit)
        }
    }
}
