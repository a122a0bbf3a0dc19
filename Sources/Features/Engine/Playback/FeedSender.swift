package import Binaural
import Crossing
import Media
import Render
import Synchronization
import Threads

/// Sends the renderer the feeds of the current recording and of the one that is to follow it, and edits of the array. Feeds of other
/// recordings are dropped.
final class FeedSender: Sendable {
    /// The microphones of the current recording.
    private struct Setting {
        var array = MicrophoneArray.uniform(count: 1)
        var calibration = Calibration()
        /// Incremented with every change.
        var version: Int64 = 0

        func isSame(_ other: MicrophoneArray, _ calibration: Calibration) -> Bool {
            array.count == other.count && array.radius == other.radius && array.azimuthList == other.azimuthList
                && self.calibration == calibration
        }
    }

    /// The recording that is to follow the current one.
    private struct Coming {
        let ticket: Int
        var setting: Setting
        let joint: FeedJoint
        let claim: Claim
    }

    private struct State: ~Copyable {
        var feeds: Handover<SceneFeed>.Control
        var arrays: Handover<ArrayEdit>.Control
        var current = 0
        var setting = Setting()
        var coming: Coming?
        /// The place in the feed at which the current recording is to jump, and the frame that it jumps to.
        var jump: (joint: FeedJoint, start: Int64)?
        /// The highest version so far.
        var version: Int64 = 0
        /// Whether an edit could not be delivered.
        var isPending = false
    }

    private let state: Mutex<State>
    private let workers: [ArraySender]
    let arrays = SharedArrays()
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

    /// Returns the ticket of another recording.
    func nextTicket() -> Int { tickets.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Admits the feeds of the recording with this ticket, and of no other.
    func admit(_ ticket: Int, _ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.current = ticket
            $0.coming = nil
            $0.version += 1
            $0.setting = Setting(array: array, calibration: calibration, version: $0.version)
        }
    }

    /// Admits the next feed of the recording with this ticket as one that follows the current recording, beside the feeds of that one.
    ///
    /// - Parameters:
    ///   - feed, place, crossfade: as in ``FeedJoint``.
    ///   - claim: by which the feed can be withdrawn.
    func admitComing(
        _ ticket: Int, _ array: MicrophoneArray, _ calibration: Calibration, feed: Int64, place: Int64, crossfade: Int64, claim: Claim
    ) {
        state.withLock {
            let isSame = $0.setting.isSame(array, calibration)
            if !isSame { $0.version += 1 }
            $0.coming = Coming(
                ticket: ticket,
                setting: Setting(array: array, calibration: calibration, version: isSame ? $0.setting.version : $0.version),
                joint: FeedJoint(feed: feed, place: place, crossfade: crossfade, isSameArray: isSame), claim: claim)
        }
    }

    /// Drops the recording that is queued to follow.
    func dropComing() { state.withLock { $0.coming = nil } }

    /// Makes the queued recording the current one, because the renderer plays it.
    func promote() {
        state.withLock {
            guard let coming = $0.coming else { return }
            ($0.current, $0.setting, $0.coming) = (coming.ticket, coming.setting, nil)
        }
    }

    /// Lets the next feed of the current recording, if it begins at `start`, take over at an exact time.
    func jump(_ joint: FeedJoint, start: Int64) { state.withLock { $0.jump = (joint, start) } }

    /// Sends a feed, if it belongs to the admitted recording.
    ///
    /// - Parameter live: for a live array instead of a recording.
    func send(
        _ frames: consuming FrameRing.Consumer, number: Int64, start: Int64, ticket: Int, live: consuming LiveFeed? = nil
    ) {
        // The ring's weights are computed outside the lock, on the thread that reads the recording.
        let (known, coming) = state.withLock { ($0.current == ticket ? $0.setting : nil, $0.coming) }
        guard let setting = known ?? (coming?.ticket == ticket ? coming?.setting : nil) else { return }
        let follows = known == nil ? coming : nil
        let jump = follows == nil ? takeJump(to: start) : nil
        share(setting)
        var feed: SceneFeed? = SceneFeed(
            frames: frames, array: setting.array, calibration: setting.calibration, rate: rate, number: number, start: start,
            version: setting.version, joint: follows?.joint ?? jump, claim: follows?.claim, live: live)
        state.withLock {
            guard follows == nil ? $0.current == ticket : $0.coming?.claim === follows?.claim, let feed = feed.take() else { return }
            _ = $0.feeds.send(feed)
        }
    }

    private func takeJump(to start: Int64) -> FeedJoint? {
        state.withLock { state in
            defer { state.jump = nil }
            return state.jump?.start == start ? state.jump?.joint : nil
        }
    }

    /// Sends the feed of a live array, on the thread that designs arrays.
    func send(_ frames: Parcel<FrameRing.Consumer>, ticket: Int, live: @escaping @Sendable () -> LiveFeed) {
        designs.add { [self] in
            // Numbers of recordings' feeds are positive.
            send(frames.take(), number: -Int64(nextTicket()), start: 0, ticket: ticket, live: live())
        }
    }

    /// Changes the array of the current recording. Its weights and filters are designed on another thread; of edits that arrive faster than
    /// that, only the latest is designed.
    func edit(_ array: MicrophoneArray, _ calibration: Calibration) {
        state.withLock {
            $0.version += 1
            $0.setting = Setting(array: array, calibration: calibration, version: $0.version)
            $0.isPending = true
        }
        designs.add { [self] in sendEdit() }
    }

    /// Repeats deliveries for which there was no room.
    func retry() {
        let (isPending, version) = state.withLock { ($0.isPending, $0.setting.version) }
        guard isPending || version > 0 && !workers.allSatisfy({ $0.has(version) }), !designs.isBusy else { return }
        designs.add { [self] in sendEdit() }
    }

    /// Sends the workers an array before the audio thread gets it.
    private func share(_ setting: Setting) {
        arrays.note(setting.array, setting.calibration, version: setting.version)
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

/// Sends one worker every array that the audio thread may use, each version once and in order, before the audio thread gets it.
final class ArraySender: Sendable {
    private struct State: ~Copyable {
        var arrays: Handover<ArrayEdit>.Control
        var version: Int64 = -1
    }

    private let state: Mutex<State>

    /// The engine's rate, frames per second.
    private let rate: Float

    init(_ arrays: consuming Handover<ArrayEdit>.Control, rate: Float) {
        self.rate = rate
        state = Mutex(State(arrays: arrays))
    }

    /// Whether this version has been sent, or a later one.
    func has(_ version: Int64) -> Bool { state.withLock { $0.version >= version } }

    /// - Returns: false when the worker had no room.
    @discardableResult
    func send(_ array: MicrophoneArray, _ calibration: Calibration, version: Int64) -> Bool {
        guard !has(version) else { return true }
        // The ring's weights are computed outside the lock.
        var edit: ArrayEdit? = ArrayEdit(RingLookup(array, calibration: calibration, rate: rate), version: version)
        return state.withLock {
            guard $0.version < version, let edit = edit.take() else { return true }
            guard $0.arrays.send(edit) else { return false }
            $0.version = version
            return true
        }
    }
}

/// The latest arrays by version, for threads that describe the scene to clients.
package final class SharedArrays: Sendable {
    /// An array, and the microphones of it that are dead.
    package struct Entry: Sendable {
        package let array: MicrophoneArray
        /// Bit k is set when channel k is dead.
        package let muted: UInt64
    }

    private static let most = 16
    private let entries = Mutex<[(version: Int64, entry: Entry)]>([])

    /// Keeps an array before blocks refer to it.
    func note(_ array: MicrophoneArray, _ calibration: Calibration, version: Int64) {
        entries.withLock { entries in
            guard !entries.contains(where: { $0.version == version }) else { return }
            if entries.count == Self.most { entries.removeFirst() }
            entries.append((version, Entry(array: array, muted: calibration.muted)))
        }
    }

    /// The array of a version; nil when it is unknown, or too old.
    package subscript(version: Int64) -> Entry? {
        if version == ArrayEdit.standardVersion { return Entry(array: ArrayEdit.standard, muted: 0) }
        return entries.withLock { entries in entries.last { $0.version == version }?.entry }
    }
}
