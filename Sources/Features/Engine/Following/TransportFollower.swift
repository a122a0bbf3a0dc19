import CRealtime
package import Hub
import Media
import Parameters
import RenderInterface

/// Plays the recording of another engine in synchrony with it, to the sample.
///
/// Both engines report when a position leaves their converter. The difference is measured about thirty times a second; beyond a bound this
/// engine jumps, with the crossfade of a seek, at a time and to a frame that are exact.
package final class TransportFollower {
    /// Tolerated difference: in seconds, and as a share of the round trip by which clocks are compared; the larger one applies.
    private static let bound = 0.000_1
    private static let share = 0.1
    /// Number of measurements for a median; fewer suffice for a difference above ``far`` seconds.
    private static let count = 9
    private static let fewest = 3
    private static let far = 0.005
    /// Maximum number of reports that wait for this engine to reach their time.
    private static let mostReports = 32
    /// Time until a jump, during which the new place is read, seconds.
    private static let lead = 0.25
    /// Time after which a pending jump is abandoned, nanoseconds.
    private static let patience: UInt64 = 1_500_000_000
    /// Age at which a report becomes useless, nanoseconds.
    private static let staleness: UInt64 = 3_000_000_000
    /// Largest difference in duration, seconds, at which two files count as the same.
    private static let sameDuration = 0.001
    /// Seconds before the end of a recording without loop in which its position is not corrected.
    private static let end = 0.1

    private let hub: Hub
    private let telemetry: Telemetry
    private let playback: Playback
    private let transport: Transport
    private let files: MessageFiles
    /// Nil where recordings are not fetched.
    private let fetcher: MediaFetcher?
    private let rate: Double
    private let client: Subscriber
    private var report: TransportReport?
    /// Time at which the report came, CLOCK_MONOTONIC nanoseconds.
    private var reported: UInt64 = 0
    /// Reports whose time is not reached here.
    private var reports: [TransportReport] = []
    /// Previous positions of this engine.
    private var course = TransportCourse()
    private var differences: [Double] = []
    /// Number of the feed that was measured last, or that a jump has begun in.
    private var feed: Int64 = 0
    /// Time at which a jump was begun, CLOCK_MONOTONIC nanoseconds; nil for none.
    private var jumped: UInt64?
    /// Position to which a paused recording was moved last, seconds.
    private var sought: Double?
    /// Position of a recording that does not play at the last check, seconds.
    private var rested: Double?
    /// The recording that is missing here.
    private var missing: MissingRecording?
    /// The recording that is being fetched, or was fetched last.
    private var fetched: MediaName?
    private var isFetching = false
    /// The reason why the recording is not played here; empty for none.
    package private(set) var problem = ""

    init(
        hub: Hub, telemetry: Telemetry, playback: Playback, transport: Transport, files: MessageFiles, fetcher: MediaFetcher?,
        rate: Double
    ) {
        (self.hub, self.telemetry, self.playback, self.transport, self.files) = (hub, telemetry, playback, transport, files)
        self.fetcher = fetcher
        self.rate = rate
        client = hub.subscribe {}
    }

    /// The position in the recording that is heard here.
    package var present: TransportReport { present(telemetry.state) }

    private func present(_ state: EngineFrame) -> TransportReport {
        let player = playback.isLive ? nil : playback.player
        return TransportReport(
            recording: player.map { files.clients.name($0.path, .recordings) } ?? "", state: transport.state,
            position: player == nil ? 0 : playback.position(state) ?? 0, time: state.outputTime, duration: player?.duration ?? 0,
            loops: player?.loop ?? false)
    }

    // MARK: From the followed engine

    /// Takes a report whose time is of this machine's clock.
    package func take(_ report: TransportReport) {
        if report.state != self.report?.state || report.recording != self.report?.recording { reports = [] }
        (self.report, reported) = (report, rt_now())
        if report.time > 0, report.state == TransportParameter.playing { reports = reports.suffix(Self.mostReports - 1) + [report] }
    }

    func forget() {
        (report, reports, course, differences) = (nil, [], .init(), [])
        (jumped, sought, rested, missing, problem) = (nil, nil, nil, nil, "")
        forgetFetch()
    }

    // MARK: Turns

    func tick(now: UInt64) {
        isFetching = false
        guard let report, rt_now() < reported + Self.staleness else { return problem = "" }
        guard !report.recording.isEmpty else {
            return problem =
                report.state == TransportParameter.playing ? "a live array is not mirrored: connect it to this engine as well" : ""
        }
        let state = telemetry.state
        let present = present(state)
        guard present.recording == report.recording else { return load(report, now: now) }
        missing = nil
        forgetFetch()
        problem = abs(present.duration - report.duration) < Self.sameDuration ? "" : Self.otherFile(report, present)
        // Both engines reach the end by themselves.
        if !report.loops, report.position(at: rt_now()) > report.duration - Self.end { return differences = [] }
        follow(report.state, present.state)
        guard report.state == TransportParameter.playing else { return rest(report, present) }
        (sought, rested) = (nil, nil)
        guard present.state == TransportParameter.playing, present.time > 0 else { return }
        align(present, state, now: now)
    }

    private static func otherFile(_ report: TransportReport, _ present: TransportReport) -> String {
        "\(report.recording) is a different file here: it lasts \(present.duration.rounded(decimals: 3)) s, "
            + "and \(report.duration.rounded(decimals: 3)) s at the followed engine; copy that file"
    }

    /// Loads the recording by its name, or fetches it.
    private func load(_ report: TransportReport, now: UInt64) {
        differences = []
        let name = report.recording
        if missing?.name != name || fetches(name, now: now) { missing = MissingRecording(name, now: now) }
        guard !isFetching else { return }
        if missing?.isProblem(now: now) == true, problem.isEmpty {
            problem = "the recording \(name) cannot be played here: copy it to \(files.clients.folder(.recordings))"
        }
        guard missing?.isDue(now: now, isListed: isListed(name)) == true else { return }
        let file = files.clients.file(name, .recordings)
        hub.handle(Message(address: SessionParameter.recording.address(), arguments: [.string(file)], receiveTime: now), from: client)
    }

    private func isListed(_ name: String) -> Bool {
        let list = hub.value(hub.tree.index(ListParameter.recordings)).text ?? ""
        return list.split(separator: "\n").contains { $0 == name }
    }

    /// Whether a recording is being fetched; meanwhile nothing is loaded in its place.
    private func fetches(_ name: String, now: UInt64) -> Bool {
        guard let fetcher, files.clients.grantedFile(name) == nil else { return false }
        let file = MediaName(kind: .recordings, name: name)
        if file != fetched { forgetFetch() }
        fetched = file
        switch fetcher.want(file, now: now) {
        case .fetching:
            (problem, isFetching) = ("", true)
            return true
        case .done: return false
        case .failed(let reason):
            problem = "the recording \(name) is not here, and cannot be fetched: \(reason)"
            return false
        }
    }

    private func forgetFetch() {
        if let fetched { fetcher?.forget(fetched) }
        fetched = nil
    }

    private func follow(_ state: Int, _ present: Int) {
        guard state != present else { return }
        (course, differences) = (.init(), [])
        let command: TransportParameter =
            switch state {
            case TransportParameter.playing: .play
            case TransportParameter.paused: .pause
            default: .stop
            }
        hub.handle(Message(address: command.address(), arguments: [], receiveTime: rt_now()))
    }

    /// Moves a recording that does not play to the followed engine's position.
    private func rest(_ report: TransportReport, _ present: TransportReport) {
        (course, differences) = (.init(), [])
        // A fade uses a few more frames after the transport has stopped.
        let isResting = present.position == rested
        rested = present.position
        guard report.state == TransportParameter.paused, isResting, abs(report.position - present.position) > bound,
            sought != report.position
        else { return }
        sought = report.position
        playback.player?.seek(seconds: report.position)
    }

    // MARK: Measuring and jumping

    private var bound: Double {
        let roundTrip = Double(hub.value(hub.tree.index(FollowParameter.roundTrip)).numbers[0]) / 1000
        return max(Self.bound, Self.share * roundTrip)
    }

    private func align(_ present: TransportReport, _ state: EngineFrame, now: UInt64) {
        if let jumped, state.feed == feed, now < jumped + Self.patience { return }
        if jumped != nil || state.feed != feed { (course, differences, jumped, feed) = (.init(), [], nil, state.feed) }
        course.add(present)
        while let report = reports.first, report.time <= present.time {
            reports.removeFirst()
            // Positive: this engine is behind.
            if let own = course.position(at: report.time, report) { note(report.difference(report.position - own)) }
        }
        guard let difference = median else { return }
        hub.publish(hub.tree.index(FollowParameter.difference), .number(Float((difference * 1e6).rounded() / 1000)))
        guard abs(difference) > bound else { return }
        jumped = now
        let lead = (Self.lead * rate).rounded()
        let target = present.rounded(present.position + lead / rate + difference)
        guard target >= 0, present.loops || max(target, present.position + lead / rate) < present.duration else { return }
        playback.jump(
            to: Int64(clamping: (target * rate).rounded()), at: state.feedFrames + Int64(clamping: lead), of: state.feed)
    }

    private func note(_ difference: Double) {
        // One of the two engines has jumped to another position.
        if let last = differences.last, abs(difference - last) > Self.far { differences = [] }
        differences = differences.suffix(Self.count - 1) + [difference]
    }

    /// The median of the latest measurements; nil while there are too few for it.
    private var median: Double? {
        guard differences.count >= Self.fewest else { return nil }
        let median = differences.sorted()[differences.count / 2]
        return differences.count == Self.count || abs(median) > Self.far ? median : nil
    }
}

/// The latest positions of a transport and their times, between which the position is interpolated.
///
/// Two engines are compared at the same time instead of by extrapolation, since time that a sound device loses or waits does not show in
/// its clock.
struct TransportCourse {
    /// Number of positions kept: about two seconds.
    private static let count = 64
    private var places: [TransportReport] = []

    mutating func add(_ place: TransportReport) {
        if let last = places.last, place.time <= last.time { return }
        places = places.suffix(Self.count - 1) + [place]
    }

    /// The position at a time; nil before the first known position and after the last one.
    /// - Parameter recording: report whose duration and loop state apply.
    func position(at time: UInt64, _ recording: TransportReport) -> Double? {
        guard let next = places.firstIndex(where: { $0.time >= time }), next > 0 else { return nil }
        let (before, after) = (places[next - 1], places[next])
        let share = Double(time - before.time) / Double(after.time - before.time)
        return recording.rounded(before.position + share * recording.difference(after.position - before.position))
    }
}
