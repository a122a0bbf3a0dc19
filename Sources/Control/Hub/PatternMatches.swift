internal import Parameters

/// Parameters that address patterns match. The result for recent patterns is kept, because a fader sends the same one a
/// hundred times a second.
struct PatternMatches {
    /// Whether an OSC address pattern matches an address.
    let matches: (_ pattern: String, _ address: String) -> Bool
    /// Parameters that can be set; apart from the nodes, so that a search reads nothing else.
    private var settable: [(index: Int, address: String)] = []
    /// Their indices.
    private var known: Set<Int> = []
    private var recent: [String: [Int]] = [:]
    private static let capacity = 256
    /// Bytes of a pattern; longer ones match nothing.
    static let longest = 256

    init(_ matches: @escaping (String, String) -> Bool) { self.matches = matches }

    /// Whether a byte of an address makes it a pattern.
    static func isWildcard(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "{"): true
        default: false
        }
    }

    /// Returns the parameters that a pattern matches and that can be set.
    mutating func settable(matching pattern: String) -> [Int] {
        guard pattern.utf8.count <= Self.longest else { return [] }
        if let known = recent[pattern] { return known }
        if recent.count >= Self.capacity { recent.removeAll() }
        let found = settable.filter { matches(pattern, $0.address) }.map(\.index).sorted()
        recent[pattern] = found
        return found
    }

    /// Call when parameters have come or gone.
    mutating func change(_ nodes: [ParameterTree.Node]) {
        recent.removeAll()
        let changed = Set(nodes.map(\.index))
        if !known.isDisjoint(with: changed) { settable.removeAll { changed.contains($0.index) } }
        let added = nodes.filter { $0.spec.access != .read && !$0.address.isEmpty }
        settable += added.map { ($0.index, $0.address) }
        known.subtract(changed)
        known.formUnion(added.map(\.index))
    }
}
