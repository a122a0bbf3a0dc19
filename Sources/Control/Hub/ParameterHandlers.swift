internal import Parameters

/// Handlers of the parameters that do more than store their value, and the accepted numbers of those that do nothing more.
struct ParameterHandlers {
    private var handlers: [Int: Hub.Handler] = [:]
    /// Work that handlers need, and whether a newer message replaces one that waits for it.
    private var needs: [Int: (need: Hub.Need, isReplaced: Bool)] = [:]
    /// Parameters whose messages do not wait for earlier ones.
    var urgent: Set<Int> = []
    /// By index; nil for a parameter that needs the whole message.
    private var plain: [PlainNumber?] = []

    subscript(index: Int) -> Hub.Handler? { handlers[index] }

    mutating func set(_ index: Int, _ handler: Hub.Handler?) {
        handlers[index] = handler
        // For a parameter that has just been inserted, `refresh` extends the list later.
        if handler != nil, index < plain.count { plain[index] = nil }
    }

    mutating func set(_ index: Int, need: Hub.Need?, isReplaced: Bool = true) { needs[index] = need.map { ($0, isReplaced) } }

    func need(_ index: Int) -> Hub.Need? { needs[index]?.need }

    func isReplaced(_ index: Int) -> Bool { needs[index]?.isReplaced ?? false }

    /// Whether a number may be stored as it is, without looking at the rest of the message.
    func accepts(_ number: Float, at index: Int) -> Bool { plain[index]?.accepts(number) ?? false }

    /// Call when a parameter has come or gone.
    mutating func refresh(_ node: ParameterTree.Node) {
        if node.index >= plain.count { plain += [PlainNumber?](repeating: nil, count: node.index + 1 - plain.count) }
        plain[node.index] = handlers[node.index] == nil && !node.address.isEmpty ? PlainNumber(node.spec) : nil
    }
}

/// Numbers that a parameter without a handler stores as they are.
struct PlainNumber {
    private let range: ClosedRange<Float>
    private let isWhole: Bool

    /// - Returns: nil for a parameter that is not a single writable number.
    init?(_ spec: ParameterSpec) {
        guard spec.access == .readWrite else { return nil }
        switch spec.kind {
        case .number: isWhole = false
        case .integer, .toggle, .choice: isWhole = true
        case .vector, .list, .text, .impulse: return nil
        }
        range = spec.range
    }

    func accepts(_ number: Float) -> Bool { range.contains(number) && (!isWhole || number == number.rounded()) }
}
