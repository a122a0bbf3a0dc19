import Binaural
import CRealtime
import Crossing
import Device
import Files
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
    private let engine: TestServices
    private let rate: Double
    private let senders: [ComparisonSender]
    private let own: TestFiles
    private var stage = Stage.idle
    private var view = ParticipantView()
    private var lastTick: UInt64 = 0
    private var resumption: TestFiles.Running?
    /// Seed for the test that is started next; 0 draws one. No parameter publishes it, since it reveals the orders of the sounds.
    private var seed = 0
    /// Whether the current test is a quick comparison.
    private var isQuick = false
    /// Whether seed, gains and result of the current test have been reported.
    private var isReported = true
    /// Receives the listener, counted from 0, for which reports that depend on its sound are suppressed; nil when no test runs.
    var blind: (Int?) -> Void = { _ in }
    /// Receives what the participant's page is to show, as JSON, whenever it changes.
    package var onView: (String) -> Void = { _ in }
    /// Receives the position in the passage, seconds.
    package var onPosition: (Double) -> Void = { _ in }

    private enum Stage {
        case idle
        case preparing(BackgroundJob<Result<TestPreparation.Product, RequestError>>, Target)
        case running(TestSession)
    }

    init(
        hub: Hub, lines: RenderConnections, format: DeviceFormat, telemetry: Telemetry, playback: Playback, transport: Transport,
        hrtf: HRTFLoaders, files: MessageFiles
    ) {
        self.hub = hub
        rate = Double(format.rate)
        senders = lines.listeners.enumerated().map { place, listener in
            ComparisonSender(
                listener.comparison.take(), choices: lines.comparisons, place: place, rate: Float(format.rate), period: format.period)
        }
        own = TestFiles(folder: files.clients.folder(.results))
        engine = TestServices(
            hub: hub, playback: playback, transport: transport, telemetry: telemetry, hrtf: hrtf, files: files,
            writer: ResultsWriter(hub: hub, files: own))
    }

    private func index(_ parameter: ListeningTestParameter) -> Int { hub.tree.index(parameter) }

    func connect() {
        resumption = own.running
        hub.onSet(index(.start)) { [unowned self] _, _ in
            try start(
                hub.value(index(.definition)).text ?? "", hub.value(index(.participant)).text ?? "",
                listener: Int(clamping: hub.value(index(.listener)).numbers[0]), seed: seed)
            seed = 0
        }
        hub.onSet(index(.seed)) { [unowned self] value, _ in seed = Int(clamping: value.numbers[0]) }
        hub.onSet(index(.pair)) { value, _ in _ = try QuickComparison.methods(value.text ?? "") }
        hub.onSet(index(.compare)) { [unowned self] _, _ in try compare() }
        hub.onSet(index(.stop)) { [unowned self] _, _ in
            guard !isIdle else { throw RequestError("no listening test is running") }
            end(keepsRunning: false)
        }
    }

    private var isIdle: Bool { if case .idle = stage { true } else { false } }

    /// Whether a test runs, so that nothing may be reported that depends on its sounds.
    package var isBlind: Bool { !isIdle && !isComplete }

    /// Whether the participant has answered everything.
    private var isComplete: Bool { if case .running(let session) = stage { session.isComplete } else { false } }

    // MARK: The experimenter

    private func start(_ test: String, _ participant: String, listener: Int, seed: Int) throws {
        if isComplete { end(keepsRunning: false) }
        guard isIdle else { throw RequestError("a listening test is running already; stop it first") }
        guard test != QuickComparison.test else {
            throw RequestError("\"\(test)\" is reserved for quick comparisons; give the test another name")
        }
        let isCode = participant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard (1...40).contains(participant.utf8.count), isCode else {
            throw RequestError("\"\(participant)\" is not a participant's code; give 1 to 40 letters, digits, hyphens or underscores")
        }
        try checkListener(listener)
        let path = try engine.files.clients.path(test, .tests, ending: ".json")
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        try prepare(name, path, participant, listener: listener, seed: seed)
    }

    /// Starts a comparison of two methods with the recording, from the current position.
    private func compare() throws {
        if isComplete { end(keepsRunning: false) }
        guard isIdle else { throw RequestError("a listening test is running already; stop it first") }
        let methods = try QuickComparison.methods(hub.value(index(.pair)).text ?? "")
        let path = hub.value(hub.tree.index(SessionParameter.recording)).text ?? ""
        guard let player = engine.playback.player, !engine.playback.isLive, !path.isEmpty else {
            throw RequestError("methods are compared with a recording; load one first")
        }
        let listener = Int(clamping: hub.value(index(.listener)).numbers[0])
        try checkListener(listener)
        let comparison = QuickComparison(
            methods, recording: path, position: engine.playback.position(engine.telemetry.state) ?? 0, duration: player.duration)
        try prepare(QuickComparison.test, path, QuickComparison.code(), text: comparison.text, listener: listener, seed: 0)
    }

    /// - Parameter listener: from 1.
    private func checkListener(_ listener: Int) throws(RequestError) {
        guard listener > senders.count else { return }
        let isPresent = hub.tree.isPresent
        throw RequestError(
            (isPresent.indices.contains(listener - 1) && isPresent[listener - 1]
                ? "listener \(listener) is on the network" : "there is no listener \(listener)")
                + "; tests are for listeners of the sound device, 1 to \(senders.count)")
    }

    /// Whether a sound card plays a listener, so that the participant needs no sound from a browser.
    /// - Parameter listener: from 1.
    private func isPlayed(_ listener: Int) -> Bool {
        let device = DeviceSpecification.parse(hub.value(hub.tree.index(DeviceParameter.name)).text ?? "")
        return device?.isSoundCard == true && hub.value(hub.tree.index(ListenerParameter.output, listener - 1)).text?.isEmpty == false
    }

    private func prepare(_ test: String, _ path: String, _ participant: String, text: String? = nil, listener: Int, seed: Int) throws {
        let progress = Target()
        let preparation = TestPreparation(
            test: test, path: path, text: text, participant: participant, listener: listener,
            seed: seed > 0 ? seed : .random(in: 1...16_777_215), files: own, recordings: engine.files.clients.folder(.recordings),
            isAllowed: engine.files.clients.admission, loudness: PassageLoudness(settings: settings(listener - 1), rate: rate),
            progress: progress)
        let job = try BackgroundJob(name: "listening test", onEnd: {}) { isWanted in preparation.run(isWanted: isWanted) }
        stage = .preparing(job, progress)
        isQuick = test == QuickComparison.test
        hub.publish(index(.result), .text(""))
        publish()
    }

    /// The settings of a listener that its sound depends on.
    private func settings(_ listener: Int) -> PassageLoudness.Settings {
        func value(_ parameter: ListenerParameter) -> Float { hub.value(hub.tree.index(parameter, listener)).numbers.first ?? 0 }
        var settings = PassageLoudness.Settings()
        settings.values = [ListenerParameter.earAzimuth, .fixedMicrophone].map { ($0, value($0)) }
        settings.crossover = hub.value(hub.tree.index(ArraySetting.crossover)).numbers[0]
        settings.plan = engine.playback.plan
        settings.hrtf = hub.value(hub.tree.index(ListenerParameter.hrtf, listener)).text ?? ""
        settings.headRadius = value(.headRadius)
        settings.equalisation = HRTFEqualisation(rawValue: Int(clamping: value(.hrtfEqualisation))) ?? .neutral
        return settings
    }

    /// Ends the test at the participant's current trial.
    private func end(keepsRunning: Bool) {
        switch stage {
        case .idle: return
        case .preparing(let job, _): job.giveUp()
        case .running(let session):
            session.end(keepsRunning: keepsRunning)
            report(session)
            blind(nil)
        }
        stage = .idle
        publish()
    }

    /// Writes everything, because the program ends; the test continues at the next start.
    func suspend() { end(keepsRunning: true) }

    /// Reports the outcome of a test that does not continue, and its secrets.
    private func report(_ session: TestSession) {
        guard !isReported, let secrets = session.secrets else { return }
        isReported = true
        if let result = session.result { hub.publish(index(.result), .text(result)) }
        hub.notice("the listening test has ended: \(secrets)")
    }

    // MARK: The participant

    /// Handles a message of the participant's page.
    /// - Returns: the reason why it was refused; nil otherwise.
    package func receive(_ bytes: [UInt8]) -> String? {
        guard let command = try? JSONDecoder().decode(ParticipantCommand.self, from: Data(bytes)) else {
            return "the message is not valid"
        }
        guard case .running(let session) = stage else { return "no listening test is running" }
        defer {
            if session.isComplete {
                blind(nil)
                report(session)
            }
            publish()
        }
        return session.receive(command)
    }

    // MARK: Time

    /// Called about thirty times a second.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        let seconds = lastTick == 0 ? 0 : min(1, Double(now &- lastTick) / 1e9)
        lastTick = now
        engine.writer.collect()
        if engine.files.isInBackground, let last = resumption { resume(last) }
        switch stage {
        case .idle: return
        case .preparing(let job, _):
            if let product = job.product { take(product) }
        case .running(let session): session.tick(seconds, now: now)
        }
        publish()
    }

    private func resume(_ last: TestFiles.Running) {
        resumption = nil
        do {
            hub.publish(index(.definition), .text(last.test))
            hub.publish(index(.participant), .text(last.participant))
            try start(last.test, last.participant, listener: 1, seed: 0)
        } catch { hub.notice("the listening test \(last.test) of \(last.participant) is not continued: \(error)") }
    }

    private func take(_ result: Result<TestPreparation.Product, RequestError>) {
        switch result {
        case .failure(let error):
            stage = .idle
            hub.notice("listening test: \(error)")
        case .success(let product):
            do { try checkListener(product.record.listener) } catch {
                stage = .idle
                return hub.notice("listening test: \(error)")
            }
            hub.publish(index(.listener), .number(Float(product.record.listener)))
            if !isQuick { hub.notice("listening test \(product.record.test), participant \(product.record.participant): ready") }
            isReported = false
            blind(product.record.listener - 1)
            let test = RunningTest(product.definition, product.record, motion: product.motion, lengths: product.lengths)
            stage = .running(
                TestSession(test, paths: product.paths, sender: senders[product.record.listener - 1], engine: engine) { [unowned self] in
                    onPosition($0)
                })
        }
    }

    // MARK: Reports

    /// The current view, as JSON.
    package var viewText: String {
        return String(decoding: (try? JSONEncoder.wire.encode(view)) ?? Data(), as: UTF8.self)
    }

    private func publish() {
        var coming = ParticipantView()
        coming.isQuick = isQuick && !isIdle
        var words = ""
        switch stage {
        case .idle: break
        case .preparing(_, let progress):
            coming.phase = .preparing
            words = "preparing: \(Int(clamping: (progress.value * 100).rounded())) %"
        case .running(let session):
            session.describe(&coming)
            coming.isHeardHere = !isPlayed(coming.listener)
            words = session.words
        }
        hub.publish(index(.state), .text(words))
        hub.publish(index(.running), .number(isIdle || isComplete ? 0 : 1))
        guard coming != view else { return }
        view = coming
        onView(viewText)
    }
}

/// Parts of the engine that a running listening test uses.
struct TestServices {
    let hub: Hub
    let playback: Playback
    let transport: Transport
    let telemetry: Telemetry
    let hrtf: HRTFLoaders
    let files: MessageFiles
    let writer: ResultsWriter
}
