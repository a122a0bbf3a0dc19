internal import CRealtime
public import Hub
internal import OSCControl
public import Parameters
public import Session
internal import Threads

/// Follows another engine at the broker: takes its state, and measures its clock. Used on the control thread only.
///
/// Uses its own connection, so that the followed engine's state does not count against the command limits.
final class MQTTFollower {
    /// Nanoseconds between two rounds of questions about the clock, at first and later.
    private static let firstInterval: UInt64 = 500_000_000
    private static let interval: UInt64 = 2_000_000_000
    private static let firstRounds = 6
    /// Nanoseconds without an answer after which a round restarts.
    private static let answerPatience: UInt64 = 3_000_000_000
    /// Nanoseconds after which a followed engine that is silent is reported, and for which values wait for racks and scenes.
    private static let patience: UInt64 = 4_000_000_000
    private static let sessionPatience: UInt64 = 1_000_000_000
    private static let mostTold = 16

    private let hub: Hub
    private let mirror: any EngineMirror
    private let leader: MQTTTopics
    private let answers: String
    private let own: String
    private let mailbox: MQTTMailbox
    private let inbox: FollowInbox
    private let thread: MQTTThread
    private var clock = ClockExchange(times: TransportMessage.times)
    /// Rounds of questions that were answered, and the time of the next one; a round is under way while `asked` is set.
    private var (rounds, due): (Int, UInt64) = (0, 0)
    /// Time at which the last question was asked, CLOCK_MONOTONIC nanoseconds; nil between rounds.
    private var asked: UInt64?
    /// Time of the last check of values and problems, CLOCK_MONOTONIC nanoseconds.
    private var looked: UInt64 = 0
    private var transport: TransportMessage?
    /// Time at which the last report of the transport came, CLOCK_MONOTONIC nanoseconds.
    private var heard: UInt64 = 0
    /// CLOCK_MONOTONIC nanoseconds; nil without a connection, and without the followed engine.
    private var connectedSince: UInt64?
    private var onlineSince: UInt64?
    /// Whether racks and scenes have arrived since the followed engine appeared.
    private var hasSession = false
    /// The engines that the followed one follows, up to this one if it is among them.
    private var chain: [String] = []
    private var connectionProblem = ""
    private var contentProblem = ""
    /// Problems that were reported.
    private var told: Set<String> = []

    init(_ settings: MQTTSettings, leader: MQTTTopics, hub: Hub, mirror: any EngineMirror, wake: @escaping @Sendable () -> Void) {
        (self.hub, self.mirror, self.leader) = (hub, mirror, leader)
        (answers, own) = (settings.topics.clockAnswers, settings.topics.engine)
        mailbox = MQTTMailbox(wakeControl: wake)
        inbox = FollowInbox(leader: leader, answers: answers, tree: hub.tree, wake: wake)
        thread = MQTTThread(settings, mailbox, .follower(inbox))
        hub.publish(hub.tree.index(FollowParameter.engine), .text(leader.engine))
    }

    func start() throws(ThreadError) {
        publishChain()
        publishState()
        try thread.start()
    }

    func stop() { thread.stop() }

    // MARK: From the broker

    func take() {
        for event in mailbox.take().events {
            switch event {
            case .connecting: break
            case .connected: (connectedSince, onlineSince, connectionProblem, contentProblem) = (rt_now(), nil, "", "")
            case .lost:
                (connectedSince, onlineSince) = (nil, nil)
                inbox.clear()
            case .refused(let reason): connectionProblem = reason
            }
        }
        take(inbox.takeReports())
        mirror.follow(isFollowing)
        takeContent()
        publishState()
    }

    private var isFollowing: Bool { connectedSince != nil && onlineSince != nil && !isCircle }

    /// Whether the followed engine follows this one, perhaps by way of others.
    private var isCircle: Bool { chain.last == own }

    private func take(_ names: [String]) {
        chain = names.firstIndex(of: own).map { Array(names[...$0]) } ?? names
        publishChain()
    }

    private func publishChain() {
        hub.publish(hub.tree.index(FollowParameter.chain), .text(([leader.engine] + chain).joined(separator: "/")))
    }

    private func take(_ reports: FollowInbox.Reports) {
        if reports.isFresh { begin() }
        if reports.isOnline == false { onlineSince = nil }
        for answer in reports.answers { take(answer) }
        if let transport = reports.transport {
            (self.transport, heard) = (transport, rt_now())
            report()
        }
        if reports.refused > 0 { contentProblem = "something that \(leader.engine) has published was not understood: \(reports.refusal)" }
        if let chain = reports.chain { take(chain) }
    }

    /// Starts over when the followed engine has appeared, perhaps on a machine that has restarted.
    private func begin() {
        clock = ClockExchange(times: TransportMessage.times, first: .random(in: 1...1_000_000_000))
        (rounds, due, asked, transport, heard) = (0, 0, nil, nil, rt_now())
        (onlineSince, hasSession, contentProblem) = (rt_now(), false, "")
        // Its former run is over, even if the broker announced its end and its new beginning at once.
        mirror.follow(false)
    }

    /// Takes racks and scenes, then values, which are newer; values that arrive before the followed engine wait for it.
    private func takeContent() {
        guard isFollowing, let onlineSince else { return }
        switch inbox.takeSession() {
        case .success(let session):
            (hasSession, contentProblem) = (true, "")
            mirror.take(session)
        case .failure(let error):
            hasSession = true
            contentProblem = "racks and scenes of \(leader.engine) are not mirrored: \(error.reason); \(error.remedy)"
        case nil: break
        }
        guard hasSession || rt_now() > onlineSince + Self.sessionPatience else { return }
        let values = inbox.takeValues()
        if !values.isEmpty { mirror.take(values) }
    }

    private func take(_ answer: FollowInbox.Answer) {
        let outcome = clock.answer(
            answer.number, received: answer.reading.received, sent: answer.reading.sent, arrived: answer.arrived, now: rt_now())
        switch outcome {
        case .ask(let number): ask(number)
        case .known:
            rounds += 1
            (asked, due) = (nil, rt_now() + (rounds < Self.firstRounds ? Self.firstInterval : Self.interval))
            hub.publish(hub.tree.index(FollowParameter.roundTrip), .number(Float((clock.roundTrip * 1e5).rounded() / 100)))
            report()
        case .ignored: break
        }
    }

    /// Hands over the latest report of the transport, as soon as the clock is known.
    private func report() {
        guard isFollowing, let clock = clock.clock, let report = transport?.report(clock.local) else { return }
        mirror.take(report)
    }

    // MARK: Turns

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        if now >= looked + Self.firstInterval {
            looked = now
            takeContent()
            publishState()
        }
        guard onlineSince != nil, asked.map({ now > $0 + Self.answerPatience }) ?? (now >= due) else { return }
        ask(clock.begin(now: rt_now()))
    }

    private func ask(_ number: Int32) {
        asked = rt_now()
        _ = mailbox.offer(
            MQTTPublication(
                topic: leader.clock, payload: [], isConfirmed: false, correlation: Array("\(number)".utf8), responseTopic: answers))
    }

    // MARK: Reports

    private func publishState() {
        let state: FollowParameter.State = isFollowing ? .following : .waiting
        hub.publish(hub.tree.index(FollowParameter.state), .number(state.number))
        let index = hub.tree.index(FollowParameter.problem)
        let problem = problem
        guard hub.value(index) != .text(problem) else { return }
        hub.publish(index, .text(problem))
        guard !problem.isEmpty, told.count < Self.mostTold, told.insert(problem).inserted else { return }
        hub.notice("following \(leader.engine): \(problem)")
    }

    private var problem: String {
        if isCircle {
            let others = chain.dropLast().joined(separator: " and ")
            return "\(leader.engine) follows this engine\(others.isEmpty ? "" : " by way of \(others)"): start one of them without --follow"
        }
        guard let connectedSince, rt_now() > connectedSince + Self.sessionPatience else { return "" }
        if !connectionProblem.isEmpty { return connectionProblem }
        guard let onlineSince else { return "\(leader.engine) is not at the broker: check its --mqtt-name, and that it runs" }
        if clock.clock == nil, rt_now() > onlineSince + Self.patience { return noClock }
        if rt_now() > heard + Self.patience { return noReports }
        return mirror.problem.isEmpty ? contentProblem : mirror.problem
    }

    private var noClock: String {
        "\(leader.engine) does not answer questions about its clock: the broker's access list must let this engine write \(leader.clock) "
            + "and read \(answers), and let \(leader.engine) write answers/#"
    }

    private var noReports: String {
        "\(leader.engine) does not report its transport: the broker's access list must let this engine read \(leader.transport)"
    }
}

/// An engine that can mirror another one. Called on the control thread.
public protocol EngineMirror: AnyObject {
    /// Starts mirroring when the followed engine appears, and ends it when that engine disappears.
    func follow(_ isThere: Bool)
    /// Takes values of parameters, by address.
    func take(_ values: [String: [Argument]])
    /// Takes racks and scenes.
    func take(_ session: SessionFile)
    /// Takes a position in a recording, with its time by this machine's clock.
    func take(_ report: TransportReport)
    /// The reason why something is not mirrored, and how to help; empty for none.
    var problem: String { get }
}
