import Binaural
import Foundation
import Hub
import Media
import Parameters
import Render
import RenderInterface
import Session
import Synchronization
import Threads

/// Takes: sound kept in memory, the take being recorded, and the list of takes. Used on the control thread only.
package final class Takes {
    /// Facts about the engine that takes depend on.
    struct Format {
        var rate: Int
        var period: Int
        var isProtected: Bool
        var hasInput: Bool
    }

    /// Seconds before its start with which every take begins, so that a new rendering of it has reached the same state by the start.
    static let lead = 1.0
    /// Longest wait for the files at the end of the program, seconds.
    private static let longestEnd = 10.0

    let hub: Hub
    let folder: TakeFolder
    private let files: MessageFiles
    private let format: Format
    private let worker: TakeWorker
    private let playback: Playback
    private let session: () -> SessionFile
    private let sounds: () -> [String: String]
    private let sample: () -> Int64
    private let work = SerialWork(name: "take files")
    private let found = Mailbox<[UInt8]>()
    private let problems = TakeProblems()
    private let outlines = TakeOutlines()
    let sources: TakeSources
    /// The list of takes in JSON; nil until the folder was read.
    package private(set) var list: [UInt8]?
    private var state = TakeState()
    /// Number of changes at the time of a requested start that the thread has not reported yet; nil for no such start.
    private var started: Int?
    private var listed: Int?
    /// Folder of the takes, if the files of the latest take are to be converted; nil otherwise.
    private var convertible: String?

    /// - Parameters:
    ///   - session: the current state as a session.
    ///   - sounds: paths of the sound files of objects, by name.
    ///   - sample: number of samples that were rendered, as reported last.
    ///   - hook: called on the takes thread before every piece of sound is written.
    init(
        hub: Hub, lines: RenderConnections, playback: Playback, files: MessageFiles, format: Format, session: @escaping () -> SessionFile,
        sounds: @escaping () -> [String: String], sample: @escaping () -> Int64, hook: @escaping @Sendable () -> Void
    ) throws {
        (self.hub, self.playback, self.files, self.format) = (hub, playback, files, format)
        (self.session, self.sounds, self.sample) = (session, sounds, sample)
        folder = TakeFolder(files.clients.folder(.takes))
        worker = try TakeWorker(lines.takes, folder: folder, rate: format.rate, hook: hook)
        sources = TakeSources(hub: hub, playback: playback, worker: worker, rate: format.rate, hasInput: format.hasInput)
    }

    func index(_ parameter: TakeParameter) -> Int { hub.tree.index(parameter) }

    private func value(_ parameter: TakeParameter) -> ParameterValue { hub.value(index(parameter)) }

    func connect() {
        hub.onSet(index(.start)) { [unowned self] _, message in try start(message.message) }
        hub.onSet(index(.stop)) { [unowned self] _, _ in
            guard isRecording else { throw RequestError("no take is being recorded; /take/start starts one") }
            worker.add(.stop(sample()))
        }
        hub.onSet(index(.name)) { value, _ in try TakeFolder.check(value.text ?? "") }
        hub.onSet(hub.tree.index(TakeSourceParameter.ears)) { [unowned self] value, _ in
            _ = try TakeSelection.ears(value.text ?? "", wired: hub.tree.wired, network: sources.network())
        }
        hub.onNeed(index(.delete), isReplaced: false) { [unowned self] value, _ in try files.write(deleting(value)) }
        hub.onSet(index(.delete)) { [unowned self] value, _ in
            _ = try files.written(deleting(value))
            look()
        }
    }

    /// Excludes a removed listener from the next takes.
    /// - Parameter listener: counted from 0.
    func forget(_ listener: Int) {
        let index = hub.tree.index(TakeSourceParameter.ears)
        hub.publish(index, .text(TakeSelection.ears(hub.value(index).text ?? "", without: listener + 1)))
    }

    private var isRecording: Bool { state.take != nil || started != nil }

    // MARK: Takes

    private func start(_ message: Message) throws {
        guard !isRecording else { throw RequestError("the take \(state.take ?? "") is being recorded already; stop it with /take/stop") }
        sources.arm()
        guard !sources.armed.isEmpty else {
            throw RequestError("there is nothing to record; choose listeners in /take/source/ears, or another source in /take/source")
        }
        let name = value(.name).text ?? ""
        try TakeFolder.check(name)
        let usesPreRoll = value(.usePreRoll) == .number(1)
        let lead = Self.lead + (usesPreRoll ? Double(sources.preRoll) : 0)
        let format = TakeParameter.formats[Int(clamping: value(.format).numbers[0])]
        let request = TakeRequest(
            folder: folder, name: name, date: Date(), client: message.sender.map { "\($0)" }, sample: sample(),
            lead: Int64(clamping: lead * Double(self.format.rate)), format: format, rate: self.format.rate, period: self.format.period,
            isProtected: self.format.isProtected, listeners: hub.tree.wired,
            objects: (hub.tree.isObjectPresent.lastIndex(of: true) ?? -1) + 1, sounds: sounds(),
            session: try document(format), geometry: sources.armed[.array] == nil ? nil : geometry)
        started = state.changes
        convertible = format == "flac" ? folder.path : nil
        worker.add(.start(request))
    }

    /// The session that plays the take: its recording is the take's, in which the settings of the array are applied already.
    private func document(_ format: String) throws -> [UInt8] {
        var session = session()
        if let channels = sources.armed[.array] {
            let ending = format == "flac" ? "w64" : format
            let file = TakeRequest.stem(.array) + "." + ending
            session.recording = format == "flac" ? TakeConversion.name(file, channels: channels) : file
            for setting in ArraySetting.allCases where setting != .crossover {
                session.snapshot.parameters[setting.address()] = nil
            }
        }
        return [UInt8](try session.encoded())
    }

    /// Contents of the sidecar of the array's file, with the positions of the microphones.
    private var geometry: [UInt8]? {
        guard let array = playback.array else { return nil }
        let azimuths = (0..<array.count).map { "\(array.azimuths[$0])" }.joined(separator: ", ")
        return Array(#"{"array": {"count": \#(array.count), "radius": \#(array.radius), "azimuths": [\#(azimuths)]}}"#.utf8) + [10]
    }

    private func deleting(_ value: ParameterValue) throws -> FileWriting {
        let name = value.text ?? ""
        guard name != state.take else { throw RequestError("the take \(name) is being recorded; stop it first") }
        return FileWriting { [folder] in
            try folder.delete(name)
            return .written
        }
    }

    // MARK: Reports

    /// Publishes the state, about thirty times a second.
    func tick() {
        let former = state.last
        state = worker.takeState()
        if let started, state.changes > started { self.started = nil }
        if let take = state.last, take != former { convert(take) }
        for notice in state.notices + problems.take() { hub.notice(notice) }
        publish()
        if !isRecording { sources.arm() }
        if state.changes != listed {
            listed = state.changes
            look()
        }
        if let bytes = found.take() {
            list = bytes
            hub.publish(index(.changes), .number(hub.value(index(.changes)).numbers[0] + 1))
        }
    }

    private func publish() {
        let rate = Double(format.rate)
        hub.publish(index(.recording), .number(state.take == nil ? 0 : 1))
        hub.publish(index(.current), .text(state.take ?? ""))
        hub.publish(index(.duration), .number(Float((Double(state.frames) / rate * 10).rounded() / 10)))
        hub.publish(index(.kept), .number(Float((max(0, Double(state.kept) / rate - Self.lead) * 10).rounded() / 10)))
        hub.publish(index(.lost), .number(Float((Double(state.lost) / rate * 1000).rounded() / 1000)))
        hub.publish(index(.remaining), .number(Float((state.remaining ?? 0).rounded())))
        hub.publish(index(.problem), .text(state.problem))
    }

    /// Reads the folder of takes, on a thread that may wait.
    private func look() {
        work.add { [folder, found, outlines, current = state.take] in
            found.put(TakeList(folder, current: current, most: TakeFolder.mostListed, outlines: outlines).bytes)
        }
    }

    private func convert(_ take: String) {
        guard let path = convertible else { return }
        convertible = nil
        work.add { [problems] in problems.add(TakeConversion.convert(path + "/" + take)) }
        look()
    }

    /// Completes the take that is being recorded, and waits for its files.
    func stop() {
        let isComplete = worker.stop(within: Self.longestEnd)
        if !isComplete || !work.finish(within: Self.longestEnd) {
            hub.notice("the last take is not complete after \(Int(clamping: Self.longestEnd)) s; what was written can be read")
        }
        tick()
        _ = work.finish(within: Self.longestEnd)
    }
}

/// Messages of background work for the log.
final class TakeProblems: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ more: [String]) { texts.withLock { $0 += more } }

    func take() -> [String] {
        texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
