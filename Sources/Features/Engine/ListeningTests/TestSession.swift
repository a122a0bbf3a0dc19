import CRealtime
import Foundation
import Hub
import ListeningTest
import Media
import Parameters
import RenderInterface

/// A listening test from its first trial to its last: loads and plays the passages, follows the participant, and keeps the results
/// saved.
///
/// Used on the control thread only.
final class TestSession {
    private let engine: TestServices
    private let sender: ComparisonSender
    private let paths: [String]
    private var passage: PassagePlayer
    private var test: RunningTest
    private var stage = ParticipantView.Phase.ready
    /// Reads the recording of the trial, or waits for the filters.
    private var work: (any PendingWork)?
    /// Whether something is to be written, and whether the head motion is part of it.
    private var isUnsaved = false
    private var hasUnsavedMotion = false
    /// CLOCK_MONOTONIC nanoseconds.
    private var lastSaved: UInt64 = 0
    private var lastPosition = 0.0
    /// Receives the position in the passage, seconds.
    private let onPosition: (Double) -> Void

    /// - Parameters:
    ///   - paths: recording of each passage.
    ///   - sender: the comparison at the test's listener.
    init(
        _ test: RunningTest, paths: [String], sender: ComparisonSender, engine: TestServices, onPosition: @escaping (Double) -> Void
    ) {
        (self.test, self.paths, self.sender, self.engine, self.onPosition) = (test, paths, sender, engine, onPosition)
        passage = PassagePlayer(engine.transport, engine.playback, engine.telemetry)
        engine.writer.save(contents(isRunning: true))
    }

    /// Whether the participant has answered everything.
    var isComplete: Bool { stage == .complete }

    /// Whether this is a quick comparison, which cannot continue later.
    private var isQuick: Bool { test.record.test == QuickComparison.test }

    /// Outcome of an A/B/X test that is complete, or of a quick comparison; nil otherwise.
    var result: String? {
        guard test.definition.kind == .abx, isComplete || isQuick else { return nil }
        return ResultsTable(test.definition, test.record).comparison.words([test.definition.reference] + test.definition.conditions)
    }

    /// The secrets of a test that does not continue, for the log; nil otherwise.
    var secrets: String? {
        guard isComplete || isQuick else { return nil }
        let gains = zip(test.definition.passages, test.record.gains).map { passage, gains in
            let each = zip(test.definition.stimuli, gains).map { "\($0.name) \($1) dB" }
            return "gains for \(passage.name): \(each.joined(separator: ", "))"
        }
        return (["seed \(test.record.seed)"] + gains).joined(separator: "; ")
    }

    /// Progress in words.
    var words: String { test.words }

    private var listener: Int { test.record.listener - 1 }

    /// Fills in the participant's view.
    func describe(_ view: inout ParticipantView) {
        view.phase = work == nil ? stage : .preparing
        view.isPlaying = stage == .trial && passage.isPlaying
        test.describe(&view)
    }

    /// Ends the test at the participant's current trial.
    ///
    /// - Parameter keepsRunning: whether the test continues at the next start of the program, which ends now.
    func end(keepsRunning: Bool) {
        work?.giveUp()
        if passage.isPlaying, !isQuick { passage.pause() }
        engine.playback.player?.loop = engine.hub.value(engine.hub.tree.index(TransportParameter.loop)).numbers[0] != 0
        sender.end()
        engine.hrtf.compare(false, listener: listener)
        let contents = contents(isRunning: keepsRunning)
        if keepsRunning { engine.writer.finish(contents) } else { engine.writer.save(contents) }
    }

    private func contents(isRunning: Bool) -> TestFiles.Contents {
        TestFiles.Contents(
            record: test.record, table: test.table, motion: isQuick ? nil : test.motion.text,
            isRunning: isRunning && test.trial != nil && !isQuick, isKept: !isQuick)
    }

    // MARK: The participant

    /// Handles a command of the participant.
    /// - Returns: the reason why it was refused; nil otherwise.
    func receive(_ command: ParticipantCommand) -> String? {
        guard work == nil else { return "the recording is being loaded" }
        if stage == .ready { return command.type == .start ? begin() : "the trial has not begun" }
        guard stage == .trial else { return "the test is complete" }
        guard follow(command) else { return command.type == .next ? "answer everything first" : "the message is not valid in this trial" }
        isUnsaved = true
        return command.type == .next ? begin() : nil
    }

    /// - Returns: whether the command is valid in the current trial.
    private func follow(_ command: ParticipantCommand) -> Bool {
        switch command.type {
        case .start, .play: passage.play()
        case .pause: passage.pause()
        case .hear:
            guard test.hear(command.sound ?? -1) else { return false }
            sender.play(test.heard)
            passage.play()
        case .region:
            guard test.choose(from: command.from ?? .nan, to: command.to ?? .nan) else { return false }
            aim()
        case .rate: return test.rate(command.sound ?? 0, command.score ?? .nan, at: Date().timeIntervalSince1970)
        case .answer: return test.answer(command.sound ?? -1, at: Date().timeIntervalSince1970)
        case .next:
            guard test.advance() else { return false }
            hasUnsavedMotion = true
        case .recenter:
            let message = Message(address: ListenerParameter.recenter.address(listener), arguments: [], receiveTime: rt_now())
            _ = engine.hub.set(engine.hub.tree.index(ListenerParameter.recenter, listener), message, from: nil)
        }
        return true
    }

    // MARK: Trials

    /// Begins the current trial, after its recording has been loaded.
    /// - Returns: the reason why it was refused; nil otherwise.
    private func begin() -> String? {
        guard let trial = test.trial else {
            passage.pause()
            sender.end()
            stage = .complete
            engine.writer.save(contents(isRunning: false))
            return nil
        }
        let path = paths[trial.passage]
        if path == engine.hub.value(engine.hub.tree.index(SessionParameter.recording)).text, engine.playback.player != nil,
            !engine.playback.isLive
        {
            proceed()
            return nil
        }
        do {
            guard let work = try engine.files.read([.recording(path)]) else {
                try engine.transport.change(path)
                proceed()
                return nil
            }
            (stage, self.work) = (.ready, work)
        } catch {
            engine.hub.notice("listening test: \(error)")
            return "\(error)"
        }
        return nil
    }

    /// Waits for HRTF filters, if the test needs some, and begins to play.
    private func proceed() {
        guard test.definition.needsHRTF else { return play() }
        engine.hrtf.compare(true, listener: listener)
        if engine.hrtf.isReady(listener: listener) { return play() }
        (stage, work) = (.ready, FilterWait(engine.hrtf, listener: listener))
    }

    /// Plays the passage of the current trial.
    private func play() {
        guard let trial = test.trial else { return }
        let all = test.definition.conditions(gains: test.record.gains[trial.passage])
        sender.begin(test.order.map { all[$0] })
        sender.play(test.heard)
        stage = .trial
        aim()
        // A passage may end where the recording does.
        engine.playback.player?.loop = true
        passage.restart(now: rt_now())
        passage.play()
        (isUnsaved, lastSaved) = (true, 0)
    }

    private func aim() {
        guard let trial = test.trial else { return }
        let from = test.definition.passages[trial.passage].from
        passage.range = (from + test.region.lowerBound)...(from + test.region.upperBound)
    }

    // MARK: Time

    /// Called about thirty times a second.
    ///
    /// - Parameters:
    ///   - seconds: since the last call.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    func tick(_ seconds: Double, now: UInt64) {
        if let work {
            if work.isDone { take(work) }
        } else if stage == .trial {
            advance(seconds, now)
        }
    }

    private func take(_ work: any PendingWork) {
        guard let trial = test.trial else { return }
        self.work = nil
        work.use {
            do {
                if !(work is FilterWait) { try engine.transport.change(paths[trial.passage]) }
                proceed()
            } catch {
                stage = .ready
                engine.hub.notice("listening test: \(error)")
            }
        }
    }

    private func advance(_ seconds: Double, _ now: UInt64) {
        guard let trial = test.trial else { return }
        let position = passage.follow(now: now) - test.definition.passages[trial.passage].from
        let ypr = engine.hub.value(engine.hub.tree.index(ListenerParameter.ypr, listener)).numbers
        test.pass(
            seconds, isPlaying: passage.isPlaying, position: position, ypr: Array(ypr), time: Date().timeIntervalSince1970)
        if abs(position - lastPosition) > 0.05 {
            lastPosition = position
            onPosition((position * 100).rounded() / 100)
        }
        guard isUnsaved, !engine.writer.isBusy, now > lastSaved &+ 2_000_000_000 else { return }
        var contents = contents(isRunning: true)
        if !hasUnsavedMotion { contents.motion = nil }
        (isUnsaved, hasUnsavedMotion, lastSaved) = (false, false, now)
        engine.writer.save(contents)
    }
}

/// Repeats a part of the recording.
struct PassagePlayer {
    private let transport: Transport
    private let playback: Playback
    private let telemetry: Telemetry
    /// Seconds in the recording.
    var range: ClosedRange<Double> = 0...0
    /// Time until which a jump may still be pending, CLOCK_MONOTONIC nanoseconds.
    private var jumping: UInt64 = 0

    init(_ transport: Transport, _ playback: Playback, _ telemetry: Telemetry) {
        (self.transport, self.playback, self.telemetry) = (transport, playback, telemetry)
    }

    var isPlaying: Bool { transport.state == TransportParameter.playing }

    func play() { transport.state = TransportParameter.playing }

    func pause() { transport.state = TransportParameter.paused }

    mutating func restart(now: UInt64) {
        playback.player?.seek(seconds: range.lowerBound)
        jumping = now &+ 1_000_000_000
    }

    /// Returns the position in the recording, seconds, and jumps back from the end of the range.
    mutating func follow(now: UInt64) -> Double {
        guard let position = playback.position(telemetry.state) else { return range.lowerBound }
        let isInside = position >= range.lowerBound - 0.05 && position < range.upperBound && !telemetry.state.feedEnded
        if isInside {
            jumping = 0
        } else if now > jumping, isPlaying {
            restart(now: now)
        }
        return min(max(position, range.lowerBound), range.upperBound)
    }
}

/// The wait for a listener's HRTF filters, which a listening test needs.
final class FilterWait: PendingWork {
    private let loaders: HRTFLoaders
    private let listener: Int

    init(_ loaders: HRTFLoaders, listener: Int) { (self.loaders, self.listener) = (loaders, listener) }

    var isDone: Bool { loaders.isReady(listener: listener) }
    var limit: UInt64 { .max / 2 }

    func use(_ handler: () -> Void) { handler() }
    func giveUp() {}
}
