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
    /// What a person says about the array.
    private(set) var plan = ArrayPlan()
    /// Where the microphones are taken to be; nil while nothing is loaded.
    private(set) var array: MicrophoneArray?
    /// What of the plan does not fit the recording that was loaded last.
    private(set) var warnings: [String] = []

    /// - Parameters:
    ///   - rate: of the engine, frames per second.
    ///   - report: told of read errors in words, on the media thread.
    init(
        feeds: consuming Handover<SceneFeed>.Control, arrays: consuming Handover<ArrayEdit>.Control, rate: Double,
        report: @escaping @Sendable (String) -> Void
    ) {
        outlet = FeedOutlet(feeds, arrays)
        self.rate = rate
        self.report = report
    }

    /// Loads a recording; the one that plays goes on until this one can.
    /// - Throws: `MediaError`, with the old recording untouched.
    func load(_ path: String, loop: Bool) throws(MediaError) {
        // The array is needed before the player can hand out its first feed.
        let recorded = try RecordingReader(path: path).array
        let (fitting, unfitting) = fit(recorded)
        let (ticket, outlet) = (ticket + 1, outlet)
        outlet.admit(ticket, fitting, plan.calibration)
        let coming: RecordingPlayer
        do {
            coming = try RecordingPlayer(path: path, engineRate: rate, loop: loop, report: report) { feed in
                let (number, start) = (feed.number, feed.start)
                outlet.send(feed.frames, number: number, start: start, ticket: ticket)
            }
        } catch {
            if let array { outlet.admit(self.ticket, array, plan.calibration) }
            throw error
        }
        self.ticket = ticket
        array = fitting
        warnings = unfitting
        player?.stop()
        player = coming
    }

    /// The array of a recording by the plan, or as recorded when the plan does not fit.
    private func fit(_ recorded: MicrophoneArray) -> (MicrophoneArray, warnings: [String]) {
        do { return (try plan.array(for: recorded), []) } catch {
            return (recorded, ["The array is taken as recorded: \(error)."])
        }
    }

    /// Follows another plan, in what is heard now and in what comes.
    /// - Throws: `ArrayPlanError`, with the old plan untouched, when it does not fit what is loaded.
    func follow(_ coming: ArrayPlan) throws(ArrayPlanError) {
        guard coming != plan else { return }
        if let player {
            let fitting = try coming.array(for: player.array)
            array = fitting
            outlet.edit(fitting, coming.calibration)
        }
        plan = coming
    }

    /// Sends again what the renderer had no room for.
    func settle() { outlet.retry() }

    /// Seconds in the recording, from what the renderer says it has used.
    func position(_ state: EngineFrame) -> Double? {
        player?.position(feed: state.feed, framesUsed: state.feedFrames)
    }
}
