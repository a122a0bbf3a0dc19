import Hub
import Media
import Parameters
import RenderInterface

/// The playlist: plays recordings one after the other, without a gap or with a crossfade.
///
/// Used on the control thread only.
package final class Deck {
    private let hub: Hub
    private let telemetry: Telemetry
    private let playback: Playback
    private let transport: Transport
    private let files: MessageFiles
    private let open: @Sendable (String) throws(MediaError) -> OpenedRecording
    private var list = Playlist()
    private var repeats = 0
    private var coming: ComingEntry?
    /// Recordings that could not be opened, which are left out until the list or the current recording changes.
    private var unplayable: Set<String> = []
    /// Sample count at which the crossfade from the previous recording is over; nil when none runs.
    private var crossfadeEnd: Int64?
    private let rate: Double
    /// Whether the loaded recording plays without the playlist, because a file device renders it to its end.
    package var isFixed = false

    /// - Parameter rate: of the engine, frames per second.
    init(hub: Hub, telemetry: Telemetry, playback: Playback, transport: Transport, files: MessageFiles, rate: Double) {
        (self.hub, self.telemetry, self.playback, self.transport, self.files) = (hub, telemetry, playback, transport, files)
        self.rate = rate
        open = playback.opener
    }

    private func index(_ parameter: DeckParameter) -> Int { hub.tree.index(parameter) }

    // MARK: Messages

    func connect() {
        hub.onSet(index(.list)) { [unowned self] value, message in try setList(value.text ?? "", &message) }
        hub.onSet(index(.repeat)) { [unowned self] value, _ in
            repeats = Int(clamping: value.numbers[0])
            transport.followLoop()
        }
        hub.onSet(index(.add)) { [unowned self] value, _ in
            let name = value.text ?? ""
            guard !name.contains(where: \.isNewline) else {
                throw RequestError("\(DeckParameter.add.address()) takes one recording, in one line; /deck/list takes several")
            }
            try change(to: list.names + [name])
        }
        hub.onSet(index(.remove)) { [unowned self] value, _ in
            var names = list.names
            names.remove(at: try place(value.numbers[0]))
            try change(to: names)
        }
        hub.onSet(index(.move)) { [unowned self] value, _ in
            let (from, to) = (try place(value.numbers[0]), try place(value.numbers[1]))
            let names = list.moving(from, to: to)
            list.follow(from, to: to)
            try change(to: names)
        }
        hub.onSet(index(.clear)) { [unowned self] _, _ in try change(to: []) }
        connectChoosing()
        transport.repeats = { [unowned self] in decidesLoop }
        transport.isFollowed = { [unowned self] in coming != nil }
        transport.crossfade = { [unowned self] in try crossfade(to: $0, nil, seconds: $1) }
    }

    /// The messages that load another recording of the list.
    private func connectChoosing() {
        func on(_ parameter: DeckParameter, plays: Bool, _ target: @escaping (ParameterValue) throws -> Int) {
            hub.onNeed(index(parameter), isReplaced: false) { [unowned self] value, _ in
                try files.read([.recording(path(try target(value)))])
            }
            hub.onSet(index(parameter)) { [unowned self] value, _ in try go(to: target(value), plays: plays) }
        }
        on(.play, plays: true) { [unowned self] in try place($0.numbers[0]) }
        on(.next, plays: false) { [unowned self] _ in try neighbour(1) }
        on(.previous, plays: false) { [unowned self] _ in try neighbour(-1) }
    }

    private func place(_ number: Float) throws -> Int {
        let place = Int(clamping: number) - 1
        guard list.names.indices.contains(place) else {
            throw RequestError(
                list.names.isEmpty
                    ? "the playlist is empty; add a recording first"
                    : "the playlist has no place \(place + 1); give one from 1 to \(list.names.count)")
        }
        return place
    }

    private func neighbour(_ by: Int) throws -> Int {
        guard let place = list.neighbour(by, wraps: repeats != 0) else {
            throw RequestError(
                list.names.isEmpty
                    ? "the playlist is empty; add a recording first"
                    : "the playlist has no recording \(by > 0 ? "after" : "before") the current one; set repeat to all to start again")
        }
        return place
    }

    private func path(_ place: Int) throws -> String { try files.clients.path(list.names[place], .recordings) }

    /// Sets the list as a client does.
    private func change(to names: [String]) throws {
        let reply = hub.set(DeckParameter.list.address(), to: [.string(names.joined(separator: "\n"))])
        if case .refused(let reason) = reply { throw RequestError(reason) }
    }

    private func setList(_ text: String, _ message: inout MessageContext) throws {
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count <= DeckParameter.most else {
            throw RequestError("the playlist has room for \(DeckParameter.most) recordings, not \(lines.count)")
        }
        let folder = files.clients.folder(.recordings) + "/"
        let names = try lines.map { line in
            let path = try files.clients.path(line, .recordings)
            return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
        }
        unplayable = []
        list.set(names, isPresent: isPresent)
        message.store(instead: .text(names.joined(separator: "\n")))
        publish()
    }

    private func isPresent(_ name: String) -> Bool {
        guard let path = playback.player?.path else { return false }
        return (try? files.clients.path(name, .recordings)) == path
    }

    /// Finds the newly loaded recording in the list. Drops a recording that was queued to follow at once.
    func locate() {
        if coming?.request?.feed == 0 { coming = nil }
        list.locate(isPresent)
        publish()
    }

    private func publish() {
        hub.publish(index(.current), .number(Float((list.place ?? -1) + 1)))
        transport.followLoop()
    }

    /// Whether the current recording repeats; nil when the list does not decide about it.
    private var decidesLoop: Bool? {
        guard list.isInUse, !isFixed else { return nil }
        return repeats == 1 || repeats == 2 && list.names.count == 1 && list.place != nil
    }

    // MARK: Changing to another recording

    private var crossfade: Float { hub.value(index(.crossfade)).numbers[0] }

    /// Loads a recording of the list, with a crossfade while the current one plays.
    private func go(to place: Int, plays: Bool) throws {
        let path = try path(place)
        unplayable = []
        if try !crossfade(to: path, place, seconds: crossfade) {
            // Sets the place, since the recording may be in the list twice.
            list.go(to: place)
            do { try transport.change(path) } catch {
                locate()
                throw error
            }
        }
        if plays { transport.state = TransportParameter.playing }
    }

    /// Crossfades from the recording that plays to another one.
    /// - Parameters:
    ///   - place: in the list; nil for a recording that a message named.
    ///   - seconds: duration, limited to the rest of the current recording and to half of the other one.
    /// - Returns: false when no recording plays, or another crossfade is running: the recording has to be loaded instead.
    private func crossfade(to path: String, _ place: Int?, seconds: Float) throws -> Bool {
        let state = telemetry.state
        let isPlaying = transport.state == TransportParameter.playing && !state.feedEnded
        guard seconds > 0, isPlaying, !playback.isLive, crossfadeEnd == nil, let player = playback.player,
            let opened = try files.opened(path)
        else { return false }
        if !playback.withdraw() { follow() }
        let rest = player.loop ? Double.infinity : max(player.duration - (playback.position(state) ?? 0), 0)
        let duration = min(Double(seconds), rest, opened.player.duration / 2)
        guard duration > 0 else { return false }
        queue(ComingEntry(place: place, path: path, opened: opened), feed: 0, place: 0, seconds: duration)
        return true
    }

    /// Opens the recording that plays next and queues it; called about thirty times a second.
    func tick() {
        if playback.hasFollowed { follow() }
        if let end = crossfadeEnd, telemetry.state.samples > end {
            crossfadeEnd = nil
            playback.endFormer()
        }
        if coming?.request?.feed == 0 { return }
        prepare()
        take()
        request()
    }

    /// Makes the queued recording the current one, because the renderer has started it.
    private func follow() {
        guard let entry = coming else { return }
        coming = nil
        playback.promote()
        crossfadeEnd = telemetry.state.samples + Int64(clamping: ((entry.seconds + 1) * rate).rounded())
        unplayable = []
        if let place = entry.place { list.go(to: place) }
        transport.adopt()
    }

    /// Begins to open the recording that plays next, unless it is open or being opened.
    private func prepare() {
        let isPlaying = transport.state != TransportParameter.stopped && playback.player != nil && !playback.isLive && !isFixed
        let place = isPlaying && decidesLoop == false ? list.following(wraps: repeats == 2) { !unplayable.contains($0) } : nil
        let path = place.flatMap { try? self.path($0) }
        guard coming.map({ ($0.place, $0.path) == (place, path) }) != true else { return }
        guard coming == nil || playback.withdraw() else { return follow() }
        coming?.job?.giveUp()
        coming = nil
        guard let place, let path else { return }
        let open = open
        // If no thread can be started, the next call tries again.
        let job = try? BackgroundJob(name: "files", onEnd: {}) { _ in Result { () throws(MediaError) in try open(path) } }
        if let job { coming = ComingEntry(place: place, path: path, job: job) }
    }

    /// Takes the recording that was opened; skips one that cannot be opened.
    private func take() {
        guard let result = coming?.job?.product else { return }
        coming?.job = nil
        switch result {
        case .success(let opened): coming?.opened = opened
        case .failure(let error):
            if let place = coming?.place { unplayable.insert(list.names[place]) }
            coming = nil
            hub.notice("the playlist skips a recording: \(error)")
        }
    }

    /// Sends the renderer the transition to the next recording; sends it again after a seek in the current one.
    private func request() {
        let state = telemetry.state
        guard let entry = coming, entry.opened != nil, let player = playback.player, let position = playback.position(state) else { return }
        let wanted = ComingEntry.Request(feed: state.feed, crossfade: crossfade, planChanges: playback.planChanges)
        guard entry.request != wanted else { return }
        guard playback.withdraw() else { return follow() }
        let longest = min(player.duration, entry.opened?.player.duration ?? 0) / 2
        let seconds = min(Double(crossfade), longest, player.duration - position)
        let rest = ((player.duration - position - seconds) * rate).rounded()
        queue(entry, feed: state.feed, place: seconds > 0 ? state.feedFrames + Int64(clamping: rest) : nil, seconds: seconds)
    }

    private func queue(_ entry: ComingEntry, feed: Int64, place: Int64?, seconds: Double) {
        guard let opened = entry.opened else { return }
        coming = entry
        coming?.seconds = seconds
        coming?.request = ComingEntry.Request(feed: feed, crossfade: crossfade, planChanges: playback.planChanges)
        playback.queue(opened, feed: feed, place: place, crossfade: seconds)
    }
}

/// The recording that plays next: being opened, or open.
struct ComingEntry {
    /// Place in the playlist; nil for a recording that a message named.
    let place: Int?
    let path: String
    /// Opens the recording; nil once it is open, or when a message opened it.
    var job: BackgroundJob<Result<OpenedRecording, MediaError>>?
    var opened: OpenedRecording?
    /// Duration of the requested crossfade, seconds.
    var seconds = 0.0
    /// Latest request sent to the renderer; nil before the first.
    var request: Request?

    /// Everything that determines the transition to the recording.
    struct Request: Equatable {
        /// Number of the feed that it follows; 0 to follow at once.
        let feed: Int64
        let crossfade: Float
        let planChanges: Int
    }
}
