internal import CRealtime
public import Parameters

/// Work on another thread that a message waits for, such as reading the file that it names.
public protocol PendingWork: AnyObject {
    /// Whether the handler may run.
    var isDone: Bool { get }
    /// Longest time that the message waits, in nanoseconds.
    var limit: UInt64 { get }

    /// Runs the handler, with the results of the work available to it.
    func use(_ handler: () -> Void)
    /// Abandons the work without waiting for it.
    func giveUp()
}

/// No work: a message that has taken long enough continues in the next turn of the control thread.
final class NextTurn: PendingWork {
    var isDone: Bool { true }
    var limit: UInt64 { .max / 2 }

    func use(_ handler: () -> Void) { handler() }
    func giveUp() {}
}

/// Messages whose handlers need files: they wait for the reading, which another thread does, and later messages of the same client
/// wait with them, so that all take effect in the order in which they were sent. Nothing else waits.
extension Hub {
    /// Starts the work that a handler needs.
    /// - Returns: nil when there is nothing to wait for.
    /// - Throws: to refuse the message.
    public typealias Need = (_ value: ParameterValue, _ message: Message) throws -> (any PendingWork)?

    /// Makes clients' messages for a parameter wait for work before their handler runs.
    /// - Parameter isReplaced: whether a newer message replaces one that is still waiting.
    public func onNeed(_ index: Int, isReplaced: Bool = true, _ need: @escaping Need) {
        handlers.set(index, need: need, isReplaced: isReplaced)
    }

    /// Exempts a parameter's messages from waiting for earlier ones; used for poses.
    public func neverWaits(_ index: Int) { handlers.urgent.insert(index) }

    /// Runs `body` once all earlier messages of a client have taken effect.
    public func afterEarlierMessages(from subscriber: Subscriber?, _ sender: NetworkAddress?, _ body: @escaping () -> Void) {
        guard let line = waiting[client(subscriber, sender)] else { return body() }
        line.followers.append(.call(body))
    }

    /// Whether any message waits.
    public var isWaiting: Bool { !waiting.isEmpty }

    /// Whether messages of this client wait for an earlier one.
    public func isWaiting(_ subscriber: Subscriber?, _ sender: NetworkAddress?) -> Bool {
        !waiting.isEmpty && waiting[client(subscriber, sender)] != nil
    }

    /// The client whose messages keep their order. Over UDP these are all messages of a host, since programs such as `oscsend` send
    /// each one from another port.
    private func client(_ subscriber: Subscriber?, _ sender: NetworkAddress?) -> Edit.Origin? {
        Edit.Origin(subscriber, sender?.machine)
    }

    /// Lets a message wait for an earlier one of the same client.
    /// - Returns: nil when it does not have to wait.
    func wait(_ message: Message, from subscriber: Subscriber?) -> Reply? {
        guard isWaiting(subscriber, message.sender), let origin = client(subscriber, message.sender) else { return nil }
        let index = tree.index(at: message.address)
        if let index, handlers.urgent.contains(index) { return nil }
        // The release of a button follows its press, and does not replace it.
        let isRelease = index.map { tree.nodes[$0].spec.isRelease(message.arguments) } ?? false
        if let index, let line = waiting[origin], line.index == index, handlers.isReplaced(index), !isRelease { replace(line, of: origin) }
        return queue(.message(message), of: origin)
    }

    /// - Returns: nil when the client has no message that waits.
    private func queue(_ follower: WaitingMessages.Follower, of origin: Edit.Origin?) -> Reply? {
        guard let line = waiting[origin] else { return nil }
        guard line.followers.count < WaitingMessages.mostFollowers else {
            return .refused("\(line.address) is still waiting for its file, and \(line.followers.count) messages are waiting behind it")
        }
        line.followers.append(follower)
        return .done
    }

    /// Starts the work that a parameter's handler needs, for a client's message.
    /// - Returns: nil when the handler may run at once.
    func startWork(_ index: Int, _ value: ParameterValue, _ message: Message, from subscriber: Subscriber?) throws -> Reply? {
        guard let need = handlers.need(index), let origin = client(subscriber, message.sender) else { return nil }
        if let reply = queue(.set([(index, tree.nodes[index].address)], message), of: origin) { return reply }
        guard let work = try need(value, message) else { return nil }
        if handlers.isReplaced(index), let (other, line) = waiting.lines.first(where: { $1.index == index }) { replace(line, of: other) }
        waiting[origin] = .init(index, tree.nodes[index].address, message, subscriber, work)
        return .done
    }

    // MARK: Turns

    /// Sets parameters that a message's address matches, in order, until the turn has taken long enough; the rest follow in the next
    /// turn, before the client's later messages.
    ///
    /// - Parameter end: of the turn, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the first reply that is not `done`, if any.
    func set(_ targets: ArraySlice<WaitingMessages.Target>, _ message: Message, from subscriber: Subscriber?, until end: UInt64) -> Reply {
        var reply = Reply.done
        for (place, target) in zip(targets.indices, targets) where tree.index(at: target.address) == target.index {
            let one = set(target.index, message, from: subscriber)
            if reply == .done { reply = one }
            let rest = targets[(place + 1)...]
            guard !rest.isEmpty, rt_now() > end, let origin = client(subscriber, message.sender) else { continue }
            pause(message, from: subscriber, origin)
            waiting[origin]?.followers.append(.set(rest, message))
            break
        }
        return reply
    }

    /// Lets a client's messages wait for the next turn.
    private func pause(_ message: Message, from subscriber: Subscriber?, _ origin: Edit.Origin) {
        guard waiting[origin] == nil else { return }
        waiting[origin] = .init(nil, message.address, message, subscriber, NextTurn())
        onPause()
    }

    // MARK: Results

    /// Handles the messages whose work is done, and refuses those that have waited for too long.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func settle(now: UInt64) {
        let end = rt_now() &+ turn
        for (origin, line) in waiting.lines where waiting[origin] === line {
            let deadline = line.deadline ?? now &+ line.work.limit
            line.deadline = deadline
            if line.work.isDone {
                finish(line, of: origin, until: end) { set(line) }
                guard rt_now() <= end else { return onPause() }
            } else if now > deadline {
                line.work.giveUp()
                finish(line, of: origin, until: end) { refuse(line, "the file was not read within \(line.work.limit / 1_000_000_000) s") }
            }
        }
    }

    /// Abandons all work without waiting for it.
    public func abandonWork() {
        for (origin, line) in waiting.lines {
            line.work.giveUp()
            waiting[origin] = nil
        }
    }

    private func replace(_ line: WaitingMessages.Line, of origin: Edit.Origin) {
        line.work.giveUp()
        finish(line, of: origin, until: rt_now() &+ turn) { refuse(line, "replaced by a newer request") }
    }

    private func refuse(_ line: WaitingMessages.Line, _ reason: String) -> Reply {
        let text = "\(line.address): \(reason)"
        if line.subscriber?.reportsRefusals != true { notice(text, from: Self.client(of: line.message, line.subscriber)) }
        return .refused(text)
    }

    private func set(_ line: WaitingMessages.Line) -> Reply {
        guard let index = line.index else { return .done }
        // The parameter may have gone while its file was being read.
        guard tree.index(at: line.address) == index else { return refuse(line, "the parameter is no longer there") }
        var reply = Reply.done
        line.work.use {
            reply = handle(line.message, from: line.subscriber) { set(index, line.message, from: line.subscriber, isPrepared: true) }
        }
        return reply
    }

    /// Ends a message's wait, and carries out its followers until another message has to wait.
    private func finish(_ line: WaitingMessages.Line, of origin: Edit.Origin, until end: UInt64, _ reply: () -> Reply) {
        waiting[origin] = nil
        tell(line.subscriber, reply())
        for (place, follower) in line.followers.enumerated() {
            // At least one of them, so that every turn makes progress.
            if place > 0 || line.index != nil, rt_now() > end { pause(line.message, from: line.subscriber, origin) }
            if let next = waiting[origin] {
                next.followers += line.followers[place...]
                return
            }
            switch follower {
            case .message(let message): tell(line.subscriber, handle(message, from: line.subscriber))
            case .set(let targets, let message):
                tell(line.subscriber, handle(message, from: line.subscriber) { set(targets, message, from: line.subscriber, until: end) })
            case .call(let body): body()
            }
        }
    }

    private func tell(_ subscriber: Subscriber?, _ reply: Reply) { if reply.text != nil { subscriber?.onReply(reply) } }
}

/// Messages that wait for work on another thread, and the later messages of the same clients, which wait for those.
struct WaitingMessages {
    /// One client's message that waits for its work, or for the next turn of the control thread, and what follows it.
    final class Line {
        /// The message's parameter; nil when the followers alone wait for the next turn.
        let index: Int?
        let address: String
        let message: Message
        let subscriber: Subscriber?
        let work: any PendingWork
        /// CLOCK_MONOTONIC nanoseconds; nil until the first check after the wait began.
        var deadline: UInt64?
        var followers: [Follower] = []

        init(_ index: Int?, _ address: String, _ message: Message, _ subscriber: Subscriber?, _ work: any PendingWork) {
            (self.index, self.address, self.message, self.subscriber, self.work) = (index, address, message, subscriber, work)
        }
    }

    /// Something to do after the message, in order.
    enum Follower {
        case message(Message)
        /// A message for some of the parameters that its address matches.
        case set(ArraySlice<Target>, Message)
        case call(() -> Void)
    }

    /// A parameter that an address has matched. It may be removed, and its index given to another one, before it is set.
    typealias Target = (index: Int, address: String)

    /// Maximum number of followers of a message; further messages are refused.
    static let mostFollowers = 4096

    private(set) var lines: [Edit.Origin: Line] = [:]

    var isEmpty: Bool { lines.isEmpty }

    subscript(origin: Edit.Origin?) -> Line? {
        get { origin.flatMap { lines[$0] } }
        set { if let origin { lines[origin] = newValue } }
    }
}
