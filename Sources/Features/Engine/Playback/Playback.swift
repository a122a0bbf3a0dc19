package import Binaural
package import Crossing
import Device
package import Media
package import Render
import RenderInterface

/// Plays a recording: loads, replaces and seeks it, and follows edits of the microphone array. Used on the control thread only.
package final class Playback {
    private let sender: FeedSender
    /// The arrays that blocks of the scene refer to, by version.
    package var arrays: SharedArrays { sender.arrays }
    private let rate: Double
    private let report: @Sendable (String) -> Void
    /// Number of the recording that may send feeds; rises with each one that is loaded.
    private var ticket = 0
    package private(set) var player: RecordingPlayer?
    /// Settings of the array that replace the recording's metadata.
    private(set) var plan = ArrayPlan()
    /// The microphone array in use; nil while nothing is loaded.
    package private(set) var array: MicrophoneArray?
    /// The live array that can play instead of the recording; nil for none.
    private(set) var live: LiveArray?
    /// Looks for the live array while it is not there.
    private(set) var search: LiveArraySearch?
    /// Whether the live array is to play when it is found.
    var waitsForLive = false
    /// Whether the live array plays.
    package private(set) var isLive = false
    /// Settings of the array that do not fit the recording that was loaded last.
    private(set) var warnings: [String] = []
    /// The recording that is to follow the current one.
    private var coming: ComingRecording?
    /// The previous recording, which may still be heard in a crossfade.
    private var former: RecordingPlayer?
    /// Incremented with every change of the array settings.
    private(set) var planChanges = 0

    /// - Parameters:
    ///   - workers: arrays of the workers that render network listeners.
    ///   - rate: of the engine, frames per second.
    ///   - report: called with read errors, in words, on the media thread.
    package init(
        feeds: consuming Handover<SceneFeed>.Control, arrays: consuming Handover<ArrayEdit>.Control,
        workers: [Parcel<Handover<ArrayEdit>.Control>] = [], rate: Double, report: @escaping @Sendable (String) -> Void
    ) {
        sender = FeedSender(feeds, arrays, workers: workers.map { ArraySender($0.take(), rate: Float(rate)) }, rate: rate)
        self.rate = rate
        self.report = report
    }

    /// Loads a recording; the previous one plays until the new one can.
    ///
    /// - Parameter lead: frames of silence before it.
    /// - Throws: `MediaError`, with the previous recording untouched.
    package func load(_ path: String, loop: Bool, lead: Int = 0) throws(MediaError) {
        // The array is needed before the player can hand out its first feed.
        let recorded = try RecordingReader(path: path).array
        let (fitting, unfitting) = fit(recorded)
        let ticket = sender.nextTicket()
        sender.admit(ticket, fitting, plan.calibration)
        let coming: RecordingPlayer
        do {
            coming = try Self.player(sender, rate, lead: lead, report)(path, loop, ticket)
        } catch {
            if let array { sender.admit(isLive ? live?.ticket ?? 0 : self.ticket, array, plan.calibration) }
            throw error
        }
        play(coming, ticket, fitting, unfitting)
    }

    /// Opens recordings on other threads, for ``play(_:loop:)``.
    var opener: @Sendable (String) throws(MediaError) -> OpenedRecording {
        let (sender, make) = (sender, Self.player(sender, rate, report))
        return { path throws(MediaError) in
            let ticket = sender.nextTicket()
            return OpenedRecording(player: try make(path, false, ticket), ticket: ticket)
        }
    }

    /// Plays a recording that was opened before; the previous one plays until the new one can.
    func play(_ opened: OpenedRecording, loop: Bool) {
        let player = opened.player
        let (fitting, unfitting) = fit(player.array)
        sender.admit(opened.ticket, fitting, plan.calibration)
        play(player, opened.ticket, fitting, unfitting)
        player.loop = loop
        // The feeds so far were not admitted; the seek begins a new one.
        player.seek(seconds: 0)
    }

    private func play(_ coming: RecordingPlayer, _ ticket: Int, _ fitting: MicrophoneArray, _ unfitting: [String]) {
        dropComing()
        (self.ticket, array, warnings, isLive) = (ticket, fitting, unfitting, false)
        endFormer()
        player?.end()
        player = coming
    }

    // MARK: A recording that follows

    /// Queues a recording to follow the current one; it replaces any other queued one.
    ///
    /// - Parameters:
    ///   - feed: number of the feed that it follows; 0 for any.
    ///   - place: frames of that feed that are used before the crossfade begins; nil to follow its last frame.
    ///   - crossfade: seconds.
    func queue(_ opened: OpenedRecording, feed: Int64 = 0, place: Int64?, crossfade: Double) {
        let (fitting, unfitting) = fit(opened.player.array)
        dropComing()
        let coming = ComingRecording(opened: opened, array: fitting, warnings: unfitting, claim: Claim())
        self.coming = coming
        sender.admitComing(
            opened.ticket, fitting, plan.calibration, feed: feed, place: place ?? .max,
            crossfade: Int64(clamping: (crossfade * rate).rounded()), claim: coming.claim)
        // The feeds so far were not admitted; the seek begins a new one.
        opened.player.seek(seconds: 0)
    }

    /// Withdraws the recording that is to follow.
    /// - Returns: false when the renderer plays it already.
    func withdraw() -> Bool {
        guard let coming else { return true }
        guard coming.claim.withdraw() else { return false }
        sender.dropComing()
        self.coming = nil
        return true
    }

    private func dropComing() {
        _ = coming?.claim.withdraw()
        coming = nil
    }

    /// Whether the renderer has started the queued recording.
    var hasFollowed: Bool { coming?.claim.isTaken ?? false }

    /// Makes the queued recording the current one.
    func promote() {
        guard let coming else { return }
        sender.promote()
        endFormer()
        former = player
        (ticket, array, warnings, player) = (coming.opened.ticket, coming.array, coming.warnings, coming.opened.player)
        self.coming = nil
    }

    /// Ends the previous recording, when it is no longer heard.
    func endFormer() {
        former?.end()
        former = nil
    }

    // MARK: Live array

    /// Opens the live array; starts a search for one that is not there.
    /// - Throws: `DeviceError` or `MediaError`.
    func open(_ option: LiveArrayOption, device: any AudioDevice) throws {
        let (format, report) = (device.format, report)
        do { live = try LiveArray(option, device: device, sender: sender, rate: rate, report: report) } catch let error as DeviceError {
            guard error.isAbsence else { throw error }
            search = LiveArraySearch(option, problem: error) { try LiveArray.record($0, format: format, report: report) }
        }
    }

    /// Takes a live array that was found.
    /// - Returns: whether one was found.
    func takeLive() -> Bool {
        guard let search, let found = search.take() else { return false }
        live = LiveArray(found, search.option, sender: sender)
        self.search = nil
        return true
    }

    /// Plays the live array instead of the recording, which stays loaded. While the array is being searched for, it plays as soon as it is
    /// found.
    /// - Throws: `RequestError` when there is none.
    func playLive() throws(RequestError) {
        waitsForLive = search != nil
        guard !waitsForLive else { return }
        guard let live else { throw RequestError("there is no live array; start the program with --array") }
        dropComing()
        endFormer()
        let (fitting, unfitting) = fit(live.array)
        sender.admit(live.ticket, fitting, plan.calibration)
        (array, warnings, isLive) = (fitting, live.warnings + unfitting, true)
        live.begin()
    }

    /// Plays the recording again, from its start.
    /// - Throws: `RequestError` when there is none.
    func playRecording() throws(RequestError) {
        guard let player else { throw RequestError("there is no recording; load one, or continue with the live array") }
        let (fitting, unfitting) = fit(player.array)
        sender.admit(ticket, fitting, plan.calibration)
        (array, warnings, isLive) = (fitting, unfitting, false)
        player.seek(seconds: 0)
    }

    /// Ends reading.
    func stop() {
        player?.end()
        former?.end()
        live?.stop()
        search?.cancel()
    }

    private static func player(
        _ sender: FeedSender, _ rate: Double, lead: Int = 0, _ report: @escaping @Sendable (String) -> Void
    ) -> @Sendable (_ path: String, _ loop: Bool, _ ticket: Int) throws(MediaError) -> RecordingPlayer {
        { path, loop, ticket throws(MediaError) in
            try RecordingPlayer(path: path, engineRate: rate, loop: loop, lead: lead, report: report) { feed in
                let (number, start) = (feed.number, feed.start)
                sender.send(feed.frames, number: number, start: start, ticket: ticket)
            }
        }
    }

    /// The array of a recording with the plan applied, or as recorded when the plan does not fit.
    private func fit(_ recorded: MicrophoneArray) -> (MicrophoneArray, warnings: [String]) {
        do { return (try plan.array(for: recorded), []) } catch {
            return (recorded, ["The array settings do not fit this recording, its own array is used: \(error)."])
        }
    }

    /// Applies another plan to the current recording and to later ones.
    /// - Throws: `ArrayPlanError`, with the previous plan untouched, when it does not fit the current recording.
    func follow(_ coming: ArrayPlan) throws(ArrayPlanError) {
        guard coming != plan else { return }
        if let recorded = isLive ? live?.array : player?.array {
            let fitting = try coming.array(for: recorded)
            array = fitting
            sender.edit(fitting, coming.calibration)
        }
        plan = coming
        planChanges += 1
    }

    /// Jumps within the recording at an exact time, with a crossfade.
    ///
    /// - Parameters:
    ///   - frame: of the recording, at the engine's rate, that is to be heard then.
    ///   - place: time of the jump, as the number of frames of the feed that are used by then.
    ///   - feed: number of the feed that plays.
    func jump(to frame: Int64, at place: Int64, of feed: Int64) {
        guard let player, !isLive else { return }
        sender.jump(FeedJoint(exactlyAt: place, of: feed), start: frame)
        player.seek(seconds: Double(frame) / rate)
    }

    /// Repeats deliveries for which the renderer had no room.
    func settle() { sender.retry() }

    /// Frame of the recording, at its own rate, from the number of frames used of a feed; nil for a feed of another recording.
    func frame(feed: Int64, framesUsed: Int64) -> Int64? {
        guard let player, let seconds = player.position(feed: feed, framesUsed: framesUsed) else { return nil }
        return Int64(clamping: (seconds * player.rate).rounded())
    }

    /// Seconds in the recording at which the feed that plays began.
    func start(_ state: EngineFrame) -> Double? { player?.position(feed: state.feed, framesUsed: 0) }

    /// Seconds in the recording, from the number of frames that the renderer reports as used.
    func position(_ state: EngineFrame) -> Double? {
        player?.position(feed: state.feed, framesUsed: state.feedFrames)
    }
}

/// A recording that the renderer is to play after the current one, unless it is withdrawn before.
struct ComingRecording {
    let opened: OpenedRecording
    let array: MicrophoneArray
    let warnings: [String]
    let claim: Claim
}
