import Binaural
import CRealtime
import Crossing
import Device
import Foundation
import Hub
import ListeningTest
import Media
import Parameters
import Render

/// Listening tests, one at a time: started by the experimenter's parameters, answered by the participant's page.
///
/// Used on the control thread only; files are read, measured and written on other threads.
package final class ListeningTests {
    private let hub: Hub
    private let telemetry: Telemetry
    private let playback: Playback
    private let transport: Transport
    private let hrtf: HRTFLoaders
    private let files: FileDesk
    private let rate: Double
    private let senders: [ComparisonSender]
    private let own: TestFiles
    private var passage: PassagePlayer
    private var stage = Stage.idle
    private var view = ParticipantView()
    private let writer: ResultsWriter
    /// Whether something is to be written, and whether the head motion is part of it.
    private var isUnsaved = false
    private var hasUnsavedMotion = false
    /// CLOCK_MONOTONIC nanoseconds.
    private var lastSaved: UInt64 = 0
    private var lastTick: UInt64 = 0
    private var lastPosition = 0.0
    private var resumption: TestFiles.Running?
    /// Receives what the participant's page is to show, as JSON, whenever it changes.
    package var onView: (String) -> Void = { _ in }
    /// Receives the seconds in the passage.
    package var onPosition: (Double) -> Void = { _ in }

    private enum Stage {
        case idle
        case preparing(BackgroundJob<Result<TestPreparation.Product, RequestError>>, Target)
        /// `work` reads the recording of the trial.
        case running(RunningTest, paths: [String], phase: ParticipantView.Phase, work: (any PendingWork)?)
    }

    init(
        hub: Hub, lines: RenderConnections, format: DeviceFormat, telemetry: Telemetry, playback: Playback, transport: Transport,
        hrtf: HRTFLoaders, files: FileDesk
    ) {
        (self.hub, self.telemetry, self.playback) = (hub, telemetry, playback)
        (self.transport, self.hrtf, self.files) = (transport, hrtf, files)
        rate = Double(format.rate)
        senders = lines.listeners.enumerated().map { place, listener in
            ComparisonSender(
                listener.comparison.take(), orders: lines.comparisons, place: place, rate: Float(format.rate), period: format.period)
        }
        own = TestFiles(folder: files.clients.folder(.results))
        writer = ResultsWriter(hub: hub, files: own)
        passage = PassagePlayer(transport, playback, telemetry)
    }

    private func index(_ parameter: ListeningTestParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        resumption = own.running
        hub.onSet(index(.start)) { [unowned self] _, _ in
            try start(
                hub.value(index(.definition)).text ?? "", hub.value(index(.participant)).text ?? "",
                listener: Int(clamping: hub.value(index(.listener)).numbers[0]), seed: Int(clamping: hub.value(index(.seed)).numbers[0]))
        }
        hub.onSet(index(.stop)) { [unowned self] _, _ in
            guard !isIdle else { throw RequestError("no listening test is running") }
            end(keepsRunning: false)
        }
    }

    private var isIdle: Bool { if case .idle = stage { true } else { false } }

    /// Whether the participant has answered everything.
    private var isComplete: Bool { if case .running(_, _, .complete, _) = stage { true } else { false } }

    // MARK: The experimenter

    private func start(_ test: String, _ participant: String, listener: Int, seed: Int) throws {
        if isComplete { end(keepsRunning: false) }
        guard isIdle else { throw RequestError("a listening test is running already; stop it first") }
        let isCode = participant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard (1...40).contains(participant.utf8.count), isCode else {
            throw RequestError("\"\(participant)\" is no code of a participant; give 1 to 40 letters, digits, hyphens or underscores")
        }
        guard listener <= senders.count else { throw RequestError("there is no listener \(listener); there are \(senders.count)") }
        let path = try files.clients.path(test, .tests, ending: ".json")
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let progress = Target()
        let preparation = TestPreparation(
            test: name, path: path, participant: participant, listener: listener, seed: seed > 0 ? seed : .random(in: 1...16_777_215),
            files: own, recordings: files.clients.folder(.recordings), isAllowed: files.clients.admission,
            loudness: PassageLoudness(settings: settings(listener - 1), rate: rate), progress: progress)
        let job = BackgroundJob(name: "listening test", onEnd: {}) { isWanted in preparation.run(isWanted: isWanted) }
        guard let job else { throw RequestError("too many files are being read already; try again when they have been") }
        stage = .preparing(job, progress)
        publish()
    }

    /// The settings of a listener that its sound depends on.
    private func settings(_ listener: Int) -> PassageLoudness.Settings {
        func value(_ parameter: ListenerParameter) -> Float { hub.value(hub.tree.index(parameter, listener)).numbers.first ?? 0 }
        var settings = PassageLoudness.Settings()
        settings.values = [ListenerParameter.earAzimuth, .fixedMicrophone].map { ($0, value($0)) }
        settings.crossover = hub.value(hub.tree.index(ArraySetting.crossover)).numbers[0]
        settings.plan = playback.plan
        settings.hrtf = hub.value(hub.tree.index(ListenerParameter.hrtf, listener)).text ?? ""
        settings.headRadius = value(.headRadius)
        settings.equalisation = HRTFEqualisation(rawValue: Int(clamping: value(.hrtfEqualisation))) ?? .neutral
        return settings
    }

    /// Ends the test where the participant is.
    private func end(keepsRunning: Bool) {
        switch stage {
        case .idle: return
        case .preparing(let job, _): job.giveUp()
        case .running(let test, _, _, let work):
            work?.giveUp()
            if passage.isPlaying { passage.pause() }
            let listener = test.record.listener - 1
            senders[listener].end()
            hrtf.compare(false, listener: listener)
            let contents = contents(test, isRunning: keepsRunning)
            if keepsRunning { writer.finish(contents) } else { writer.save(contents) }
        }
        stage = .idle
        publish()
    }

    /// Writes everything, because the program ends; the test goes on at the next start.
    func suspend() { end(keepsRunning: true) }

    private func contents(_ test: RunningTest, isRunning: Bool) -> TestFiles.Contents {
        TestFiles.Contents(record: test.record, table: test.table, motion: test.motion.text, isRunning: isRunning && test.trial != nil)
    }

    // MARK: The participant

    /// Handles a message of the participant's page.
    /// - Returns: the reason why it was refused; nil otherwise.
    package func receive(_ bytes: [UInt8]) -> String? {
        guard let order = try? JSONDecoder().decode(ParticipantOrder.self, from: Data(bytes)) else {
            return "the message is not valid"
        }
        guard case .running(var test, let paths, let phase, let work) = stage else { return "no listening test is running" }
        guard work == nil else { return "the recording is being loaded" }
        let now = rt_now()
        if phase == .ready {
            guard order.type == .start else { return "the trial has not begun" }
            return begin(test, paths)
        }
        guard phase == .trial else { return "the test is complete" }
        let isDone: Bool
        switch order.type {
        case .start:
            passage.play()
            isDone = true
        case .hear:
            isDone = test.hear(order.sound ?? -1)
            if isDone {
                senders[test.record.listener - 1].play(test.heard)
                passage.play()
            }
        case .play:
            passage.play()
            isDone = true
        case .pause:
            passage.pause()
            isDone = true
        case .region:
            isDone = test.choose(from: order.from ?? .nan, to: order.to ?? .nan)
            aim(test)
        case .rate: isDone = test.rate(order.sound ?? 0, order.score ?? .nan, at: Date().timeIntervalSince1970)
        case .answer: isDone = test.answer(order.sound ?? -1, at: Date().timeIntervalSince1970)
        case .next:
            isDone = test.advance()
            hasUnsavedMotion = hasUnsavedMotion || isDone
        case .recenter:
            _ = hub.set(
                hub.tree.index(ListenerParameter.recenter, test.record.listener - 1),
                Message(address: ListenerParameter.recenter.address(test.record.listener - 1), arguments: [], receiveTime: now), from: nil)
            isDone = true
        }
        guard isDone else { return order.type == .next ? "answer everything first" : "the message is not valid in this trial" }
        isUnsaved = true
        stage = .running(test, paths: paths, phase: phase, work: nil)
        if order.type == .next { return begin(test, paths) }
        publish()
        return nil
    }

    // MARK: Trials

    /// Begins the present trial, after its recording has been loaded.
    private func begin(_ test: RunningTest, _ paths: [String]) -> String? {
        guard let trial = test.trial else {
            passage.pause()
            senders[test.record.listener - 1].end()
            stage = .running(test, paths: paths, phase: .complete, work: nil)
            writer.save(contents(test, isRunning: false))
            publish()
            return nil
        }
        let path = paths[trial.passage]
        if path == hub.value(hub.tree.index(SessionParameter.recording)).text, playback.player != nil {
            proceed(test, paths)
            return nil
        }
        do {
            guard let work = try files.read([.recording(path)]) else {
                try transport.change(path)
                proceed(test, paths)
                return nil
            }
            stage = .running(test, paths: paths, phase: .ready, work: work)
        } catch {
            hub.notice("listening test: \(error)")
            return "\(error)"
        }
        publish()
        return nil
    }

    /// Waits for HRTF filters, if the test needs some, and begins to play.
    private func proceed(_ test: RunningTest, _ paths: [String]) {
        let listener = test.record.listener - 1
        guard test.definition.needsHRTF else { return play(test, paths) }
        hrtf.compare(true, listener: listener)
        if hrtf.isReady(listener: listener) { return play(test, paths) }
        stage = .running(test, paths: paths, phase: .ready, work: FilterWait(hrtf, listener: listener))
        publish()
    }

    /// Plays the passage of the present trial.
    private func play(_ test: RunningTest, _ paths: [String]) {
        guard let trial = test.trial else { return }
        let gains = test.record.gains[trial.passage]
        let all = test.definition.conditions(gains: gains)
        let sender = senders[test.record.listener - 1]
        sender.begin(test.order.map { all[$0] })
        sender.play(test.heard)
        stage = .running(test, paths: paths, phase: .trial, work: nil)
        aim(test)
        // A passage may end where the recording does.
        playback.player?.loop = true
        passage.restart(now: rt_now())
        passage.play()
        (isUnsaved, lastSaved) = (true, 0)
        publish()
    }

    private func aim(_ test: RunningTest) {
        guard let trial = test.trial else { return }
        let from = test.definition.passages[trial.passage].from
        passage.range = (from + test.region.lowerBound)...(from + test.region.upperBound)
    }

    // MARK: Time

    /// Called some thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        let seconds = lastTick == 0 ? 0 : min(1, Double(now &- lastTick) / 1e9)
        lastTick = now
        writer.collect()
        if files.isInBackground, let last = resumption { resume(last) }
        switch stage {
        case .idle: return
        case .preparing(let job, _):
            if let product = job.product { take(product) }
        case .running(let test, let paths, let phase, let work):
            if let work {
                if work.isDone { load(test, paths, work) }
            } else if phase == .trial {
                advance(test, paths, seconds, now)
            }
        }
        publish()
    }

    private func resume(_ last: TestFiles.Running) {
        resumption = nil
        do {
            hub.publish(index(.definition), .text(last.test))
            hub.publish(index(.participant), .text(last.participant))
            try start(last.test, last.participant, listener: 1, seed: 0)
        } catch { hub.notice("the listening test \(last.test) of \(last.participant) does not go on: \(error)") }
    }

    private func take(_ result: Result<TestPreparation.Product, RequestError>) {
        switch result {
        case .failure(let error):
            stage = .idle
            hub.notice("listening test: \(error)")
        case .success(let product):
            guard product.record.listener <= senders.count else {
                stage = .idle
                return hub.notice("listening test: there is no listener \(product.record.listener); there are \(senders.count)")
            }
            let test = RunningTest(product.definition, product.record, motion: product.motion, lengths: product.lengths)
            stage = .running(test, paths: product.paths, phase: .ready, work: nil)
            hub.publish(index(.listener), .number(Float(product.record.listener)))
            hub.notice(
                "listening test \(product.record.test), participant \(product.record.participant), seed \(product.record.seed): "
                    + Self.words(product))
            writer.save(contents(test, isRunning: true))
        }
    }

    /// The gains that match the loudness, for the log.
    private static func words(_ product: TestPreparation.Product) -> String {
        zip(product.definition.passages, product.record.gains).map { passage, gains in
            let each = zip(product.definition.stimuli, gains).map { "\($0.name) \($1) dB" }
            return "gains for \(passage.name): \(each.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    private func load(_ test: RunningTest, _ paths: [String], _ work: any PendingWork) {
        guard let trial = test.trial else { return }
        work.use {
            do {
                if !(work is FilterWait) { try transport.change(paths[trial.passage]) }
                proceed(test, paths)
            } catch {
                stage = .running(test, paths: paths, phase: .ready, work: nil)
                hub.notice("listening test: \(error)")
            }
        }
    }

    private func advance(_ test: RunningTest, _ paths: [String], _ seconds: Double, _ now: UInt64) {
        guard let trial = test.trial else { return }
        var test = test
        let position = passage.follow(now: now) - test.definition.passages[trial.passage].from
        let ypr = hub.value(hub.tree.index(ListenerParameter.ypr, test.record.listener - 1)).numbers
        test.pass(
            seconds, isPlaying: passage.isPlaying, position: position, ypr: Array(ypr), time: Date().timeIntervalSince1970)
        stage = .running(test, paths: paths, phase: .trial, work: nil)
        if abs(position - lastPosition) > 0.05 {
            lastPosition = position
            onPosition((position * 100).rounded() / 100)
        }
        guard isUnsaved, !writer.isBusy, now > lastSaved &+ 2_000_000_000 else { return }
        var contents = contents(test, isRunning: true)
        if !hasUnsavedMotion { contents.motion = nil }
        (isUnsaved, hasUnsavedMotion, lastSaved) = (false, false, now)
        writer.save(contents)
    }

    // MARK: Reports

    /// The present view, as JSON.
    package var viewText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: (try? encoder.encode(view)) ?? Data(), as: UTF8.self)
    }

    private func publish() {
        var coming = ParticipantView()
        // A browser has to play what no sound device does.
        let device = hub.value(hub.tree.index(EngineParameter.device)).text ?? ""
        var words = ""
        switch stage {
        case .idle: break
        case .preparing(_, let progress):
            coming.phase = .preparing
            words = "preparing: \(Int(clamping: (progress.value * 100).rounded())) %"
        case .running(let test, _, let phase, let work):
            coming.phase = work == nil ? phase : .preparing
            coming.isPlaying = phase == .trial && passage.isPlaying
            test.describe(&coming)
            coming.isHeardHere = test.record.listener > 1 || !device.hasPrefix("alsa")
            words = test.words
        }
        hub.publish(index(.state), .text(words))
        hub.publish(index(.running), .number(isIdle || isComplete ? 0 : 1))
        guard coming != view else { return }
        view = coming
        onView(viewText)
    }
}
