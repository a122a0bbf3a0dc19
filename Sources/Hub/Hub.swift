public import Crossing
public import Parameters

/// The one place that values pass through: set, get, subscribe, commands and telemetry.
///
/// Lives on the control thread and is used from nowhere else. It knows the namespace and who
/// listens to what; what a value does is told to it by handlers, and it holds no end of the renderer.
public final class Hub {
    /// Does what a parameter asks for beyond storing it. A thrown error refuses the value.
    public typealias Handler = (_ value: ParameterValue, _ message: Message) throws -> Void

    public internal(set) var tree: ParameterTree
    private let store: ParameterStore
    /// What a pattern may reach; apart from the nodes, so that a search touches nothing else.
    var settable: [(slot: Int, address: String)] = []
    var values: [ParameterValue]
    var handlers: [Int: Handler] = [:]
    private(set) var subscribers: [ObjectIdentifier: Subscriber] = [:]
    let matches: (_ pattern: String, _ address: String) -> Bool
    private var instead: ParameterValue?
    private var unknown = 0
    private var malformed = 0
    private var suggestions: [String: String] = [:]
    private var complaints: Set<String> = []
    private static let mostSuggestions = 256
    /// Bytes of a path that are looked at and repeated to the sender.
    private static let longestPath = 256
    /// Told what comes to the namespace and goes from it, in order.
    public var onPathChange: ((PathChange) -> Void)?
    /// Takes what is to change at a time to come; false when there is no room.
    public var schedule: (TimedChange) -> Bool = { _ in true }
    /// What parameters that are no words of the renderer's do at a time to come, by slot.
    var timed: [Int: (ParameterValue, UInt64) -> Void] = [:]
    /// Told what clients have changed of what sessions keep, a message at a time.
    public var onEdit: ((Edit) -> Void)?
    /// Who sends what is handled now without being a subscriber; nil is the program itself.
    public var sender: NetworkAddress?
    /// Whether something that sessions keep has changed since this was last set to false.
    public var isTouched = false
    /// Of each slot, whether sessions keep it.
    var kept: [Bool] = []
    /// Of each slot, whether the renderer has a word for it.
    var isStored: [Bool] = []
    /// Of each slot that does nothing beyond being stored, what it takes.
    var plain: [PlainNumber?] = []
    /// The slots that patterns reach that came lately.
    var reached: [String: [Int]] = [:]
    /// Rises whenever slots come, go or get another address.
    public internal(set) var shape = 0
    /// What the message that is handled now has changed.
    var edit: Edit?
    /// Told every warning and error in words; the log's way in.
    public var log: (String) -> Void = { _ in }

    /// - Parameter matches: whether an OSC address pattern matches an address.
    public init(store: ParameterStore, matches: @escaping (String, String) -> Bool) {
        self.store = store
        self.matches = matches
        tree = store.tree
        values = tree.nodes.map(\.spec.initial)
        survey()
    }

    public func value(_ slot: Int) -> ParameterValue { values[slot] }

    /// Calls `handler` whenever a client sets (or triggers) this parameter, before it is stored.
    public func onSet(_ slot: Int, _ handler: @escaping Handler) {
        handlers[slot] = handler
        plain[slot] = nil
    }

    /// Calls `handler` ahead of the time at which this parameter is to be set, CLOCK_MONOTONIC nanoseconds.
    public func onTimed(_ slot: Int, _ handler: @escaping (_ value: ParameterValue, _ due: UInt64) -> Void) {
        timed[slot] = handler
    }

    /// Within a handler: what is stored instead of what was sent, as the same thing said properly.
    public func store(instead value: ParameterValue) { instead = value }

    // MARK: From clients

    /// Applies one message; patterns reach every address they match.
    @discardableResult
    public func handle(_ message: Message, from sender: Subscriber? = nil) -> Reply {
        handle(message, from: sender) { apply(message, from: sender) }
    }

    /// What `body` does with a message; all that it changes is one edit.
    public func handle<Result>(_ message: Message, from sender: Subscriber?, by body: () -> Result) -> Result {
        guard onEdit != nil, edit == nil, let origin = origin(sender) else { return body() }
        edit = Edit(message: message, origin: origin)
        defer { finishEdit() }
        return body()
    }

    private func apply(_ message: Message, from sender: Subscriber?) -> Reply {
        if let slot = tree.slot(at: message.address) { return set(slot, message, from: sender) }
        if message.address.utf8.contains(where: Self.isWildcard) {
            let slots = settable(matching: message.address)
            if !slots.isEmpty {
                return slots.map { set($0, message, from: sender) }.first { $0 != .done } ?? .done
            }
        }
        unknown += 1
        publish(tree.slot(EngineParameter.unknown), .number(Float(unknown)))
        let text = suggest(message.address)
        complain(text)
        return .unknown(text)
    }

    /// What a pattern reaches: a fader sends the same one a hundred times a second.
    func settable(matching pattern: String) -> [Int] {
        if let known = reached[pattern] { return known }
        if reached.count >= Self.mostSuggestions { reached.removeAll() }
        let slots = settable.filter { matches(pattern, $0.address) }.map(\.slot)
        reached[pattern] = slots
        return slots
    }

    /// Whether a byte of an address makes it a pattern.
    public static func isWildcard(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "{"): true
        default: false
        }
    }

    /// Says that there is nothing at `path`, and names what was most likely meant.
    public func suggest(_ path: String) -> String {
        let path = path.utf8.count <= Self.longestPath ? path : path.prefix(Self.longestPath / 4) + "…"
        if let known = suggestions[path] { return known }
        let nearest = NearestName.find(path, among: tree.nodes.map(\.address).filter { !$0.isEmpty })
        let text = "no parameter at \(path)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        // A sender with a wrong address sends it a hundred times a second, and the search looks at every name.
        if suggestions.count >= Self.mostSuggestions { suggestions.removeAll() }
        suggestions[path] = text
        return text
    }

    /// Applies a message to one parameter; its address is not looked at.
    @discardableResult
    public func set(_ slot: Int, _ message: Message, from sender: Subscriber?) -> Reply {
        let node = tree.nodes[slot]
        do {
            let value = try node.spec.accept(message.arguments, at: node.address)
            instead = nil
            try handlers[slot]?(value, message)
            // A word in place of a number means something to a handler or nothing at all.
            if case .text = instead ?? value, node.spec.isScalar {
                throw Refusal.wrongType(node.address, expected: "numbers")
            }
            if node.spec.kind == .impulse || node.spec.access == .write { return .done }
            let asked = message.arguments.compactMap(\.number)
            let isExact = asked.isEmpty || asked == value.numbers
            change(slot, instead ?? value, except: isExact && instead == nil ? sender : nil)
            guard isExact else {
                return .clamped(noticeClamped(node.address, asked, into: node.spec.range, value.numbers))
            }
            return .done
        } catch {
            let text = "\(error)"
            notice(text)
            return .refused(text)
        }
    }

    /// Says that a number that was asked for is outside its range, and what was set instead.
    @discardableResult
    public func noticeClamped(_ address: String, _ asked: [Float], into range: ClosedRange<Float>, _ taken: [Float]) -> String {
        let words = { (numbers: [Float]) in numbers.map(Self.short).joined(separator: " ") }
        let text =
            "\(address): \(words(asked)) is outside "
            + "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)); \(words(taken)) was set"
        notice(text)
        return text
    }

    private static func short(_ number: Float) -> String {
        number == number.rounded() && abs(number) < 1e6 ? "\(Int(number))" : "\(number)"
    }

    /// Counts a packet that could not be read.
    public func countMalformed(_ reason: String) {
        malformed += 1
        publish(tree.slot(EngineParameter.malformed), .number(Float(malformed)))
        complain(reason)
    }

    /// As ``notice(_:)``, but a client that is wrong a thousand times a second fills no log: the same words are logged once.
    func complain(_ text: String) {
        if complaints.count >= Self.mostSuggestions { complaints.removeAll() }
        if complaints.insert(text).inserted { log(text) }
        change(tree.slot(EngineParameter.notice), .text(text), except: nil)
    }

    // MARK: From the program

    /// Stores what the engine reports or the program decides; everybody who listens is told if it is new.
    public func publish(_ slot: Int, _ value: ParameterValue) {
        guard values[slot] != value else { return }
        change(slot, value, except: nil)
    }

    /// A warning or an error in words, for everybody.
    public func notice(_ text: String) {
        log(text)
        change(tree.slot(EngineParameter.notice), .text(text), except: nil)
    }

    func change(_ slot: Int, _ value: ParameterValue, except sender: Subscriber?) {
        if kept[slot], values[slot] != value { note(slot, value) }
        values[slot] = value
        if case .number(let number) = value, isStored[slot] { store.set(slot, number) }
        for subscriber in subscribers.values {
            if subscriber === sender { subscriber.unmark(slot) } else { subscriber.mark(slot) }
        }
    }

    // MARK: Subscribers

    /// - Parameter wake: called on the control thread when something begins to wait for this client.
    public func subscribe(wake: @escaping () -> Void) -> Subscriber {
        let subscriber = Subscriber(wake: wake)
        subscribers[ObjectIdentifier(subscriber)] = subscriber
        return subscriber
    }

    public func unsubscribe(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = nil }

    /// Listens to the parameter at `path`, or to everything readable below a container; its values are sent at once.
    /// - Returns: false when there is nothing at that path.
    public func listen(_ subscriber: Subscriber, to path: String) -> Bool {
        guard each(at: path, { subscriber.listen($0) }) else { return false }
        subscriber.note(path, isListening: true)
        return true
    }

    /// The opposite of ``listen(_:to:)``.
    public func ignore(_ subscriber: Subscriber, at path: String) -> Bool {
        guard each(at: path, { subscriber.ignore($0) }) else { return false }
        subscriber.note(path, isListening: false)
        return true
    }

    private func each(at path: String, _ body: (Int) -> Void) -> Bool {
        guard let slots = slots(at: path) else { return false }
        slots.forEach(body)
        return true
    }

    /// The parameter at `path`, or everything readable below a container; nil when there is nothing at that path.
    public func slots(at path: String) -> [Int]? {
        let path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
        if let slot = tree.slot(at: path) { return [slot] }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        let inside = tree.nodes.filter { $0.address.hasPrefix(prefix) }
        return inside.isEmpty && tree.containers[path] == nil ? nil : inside.filter { $0.spec.access != .write }.map(\.slot)
    }

    /// The readable parameters that an address or a pattern means.
    public func readable(_ pattern: String) -> [Int] {
        if let slot = tree.slot(at: pattern) { return tree.nodes[slot].spec.access == .write ? [] : [slot] }
        guard pattern.utf8.contains(where: Self.isWildcard) else { return [] }
        return tree.nodes.filter { $0.spec.access != .write && matches(pattern, $0.address) }.map(\.slot)
    }
}
