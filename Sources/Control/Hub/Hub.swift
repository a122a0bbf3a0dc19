internal import CRealtime
public import Parameters
public import RenderInterface

/// The control thread's only way to parameters: setting, reading, subscribing, commands and telemetry.
///
/// Joins the namespace with types that have one job each: values, handlers, patterns, subscriptions, edits, timed changes and reports. Used
/// on the control thread only. Handlers carry out the effects of a value beyond storing it; the hub itself is independent of the renderer.
public final class Hub {
    /// Acts on a parameter's new value beyond storing it. A thrown error refuses the value.
    public typealias Handler = (_ value: ParameterValue, _ message: inout MessageContext) throws -> Void

    public internal(set) var tree: ParameterTree
    var values: ParameterValues
    var handlers = ParameterHandlers()
    var patterns: PatternMatches
    var timed = TimedChanges()
    var edits = EditRecorder()
    var waiting = WaitingMessages()
    let subscriptions = Subscriptions()
    var suggestions = AddressSuggestions()
    var noticeFilter = NoticeFilter()
    var counters = MessageCounters()
    /// Incremented whenever parameters come, go or get another address.
    public internal(set) var shape = 0
    /// Value of ``shape`` at which each parameter was last added, removed or renamed, by index; 0 beyond its end.
    var shapes: [Int] = []
    /// Receives every change of the namespace, in order.
    public var onPathChange: ((PathChange) -> Void)?
    /// Receives the changes that each client's message has made to parameters kept in sessions.
    public var onEdit: ((Edit) -> Void)?
    /// Receives each client that had subscribed and has left.
    public var onLeave: ((Edit.Origin) -> Void)?
    /// Receives the text of every warning and error, and its cause.
    public var onLog: (String, LogSource) -> Void = { _, _ in }
    var noticeTime = NoticeTime()

    /// Called when messages wait for the next turn; the receiver calls ``settle(now:)`` soon.
    public var onPause: () -> Void = {}
    /// Time after which a message that sets many parameters continues in the next turn, nanoseconds; unlimited at first. Set it together
    /// with ``onPause``, which leads to that turn.
    public var turn: UInt64 = .max / 4

    /// - Parameter matches: whether an OSC address pattern matches an address.
    public init(store: ParameterStore, matches: @escaping (_ pattern: String, _ address: String) -> Bool) {
        tree = store.tree
        values = ParameterValues(store)
        patterns = PatternMatches(matches)
        refresh(Array(tree.nodes.indices))
    }

    public func value(_ index: Int) -> ParameterValue { values[index] }

    /// Whether a byte of an address makes it a pattern.
    public static func isWildcard(_ byte: UInt8) -> Bool { PatternMatches.isWildcard(byte) }

    /// Calls `handler` whenever a client sets (or triggers) this parameter, before the value is stored.
    public func onSet(_ index: Int, _ handler: @escaping Handler) { handlers.set(index, handler) }

    // MARK: From clients

    /// Applies one message to every parameter that its address matches.
    @discardableResult
    public func handle(_ message: Message, from subscriber: Subscriber? = nil) -> Reply {
        if let reply = wait(message, from: subscriber) { return reply }
        return handle(message, from: subscriber) { apply(message, from: subscriber) }
    }

    private func apply(_ message: Message, from subscriber: Subscriber?) -> Reply {
        if let index = tree.index(at: message.address) { return set(index, message, from: subscriber) }
        if message.address.utf8.contains(where: Self.isWildcard) {
            let indices = patterns.settable(matching: message.address)
            if !indices.isEmpty {
                let targets = indices.map { (index: $0, address: tree.nodes[$0].address) }
                return set(targets[...], message, from: subscriber, until: rt_now() &+ turn)
            }
        }
        return countUnknown(message.address, from: Self.client(of: message, subscriber))
    }

    /// Applies a message to one parameter, whatever the message's address.
    @discardableResult
    public func set(_ index: Int, _ message: Message, from subscriber: Subscriber?) -> Reply {
        set(index, message, from: subscriber, isPrepared: false)
    }

    /// - Parameter isPrepared: whether the work that the handler needs has been done.
    @discardableResult
    func set(_ index: Int, _ message: Message, from subscriber: Subscriber?, isPrepared: Bool) -> Reply {
        let node = tree.nodes[index]
        let client = Self.client(of: message, subscriber)
        guard !node.spec.isRelease(message.arguments) else { return .done }
        do {
            let value = try node.spec.accept(message.arguments, at: node.address).composed
            if !isPrepared, let reply = try startWork(index, value, message, from: subscriber) { return reply }
            var context = MessageContext(message, client: client)
            if let handler = handlers[index] { try handler(value, &context) }
            // A text for a number is stored only if the handler has replaced it.
            if case .text = context.replacement ?? value, node.spec.isScalar {
                throw Refusal.wrongType(node.address, expected: "numbers")
            }
            if node.spec.kind == .impulse || node.spec.access == .write { return .done }
            let asked = message.arguments.compactMap(\.number)
            let isExact = context.replacement == nil && (asked.isEmpty || asked == value.numbers)
            change(index, context.replacement ?? value, except: isExact ? subscriber : nil)
            guard value.text != nil || node.spec.isStoredAsSent(asked, value.numbers) else {
                let text = Self.clampedText(node.address, asked, into: node.spec.range, value.numbers)
                if subscriber?.reportsRefusals != true { reportClamped(text, from: client) }
                return .clamped(text)
            }
            return .done
        } catch {
            let text = "\(error)"
            if subscriber?.reportsRefusals != true { notice(text, from: client) }
            return .refused(text)
        }
    }

    // MARK: From the program

    /// Stores a value that the engine reports or the program decides, and sends it to subscribers when it differs.
    public func publish(_ index: Int, _ value: ParameterValue) {
        guard values[index] != value else { return }
        change(index, value, except: nil)
    }

    func change(_ index: Int, _ value: ParameterValue, except subscriber: Subscriber?) {
        let value = value.composed
        if values.isEdit(index, value) { note(index, value) }
        values.set(index, value)
        subscriptions.mark(index, except: subscriber)
    }
}

/// The plain path, used thousands of times a second: one number for a parameter that is stored and has no handler.
extension Hub {
    /// Equals ``handle(_:from:)`` for a message of one number within the range of a parameter without a handler.
    ///
    /// - Parameters:
    ///   - index: of the parameter in ``tree``.
    ///   - time: when the kernel received it, CLOCK_MONOTONIC nanoseconds.
    ///   - sender: as in ``Message/sender``.
    /// - Returns: false, having done nothing, for everything that needs the whole message.
    public func set(
        _ index: Int, to number: Float, time: UInt64, from subscriber: Subscriber?, sender: NetworkAddress? = nil
    ) -> Bool {
        guard handlers.accepts(number, at: index), !isWaiting(subscriber, sender) else { return false }
        let value = ParameterValue.number(number)
        if onEdit != nil, edits.edit == nil, values.isEdit(index, value), let origin = Edit.Origin(subscriber, sender) {
            let message = Message(
                address: tree.nodes[index].address, arguments: [.float(number)], receiveTime: time, sender: sender)
            edits.edit = Edit(message: message, origin: origin)
            change(index, value, except: subscriber)
            finishEdit()
        } else {
            change(index, value, except: subscriber)
        }
        return true
    }
}
