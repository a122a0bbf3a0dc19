/// A node of the namespace as OSCQuery describes it, with everything below it.
///
/// Source: Vidvox OSCQuery proposal, third revision. The properties are the JSON keys.
public struct OSCQueryNode: Encodable, Sendable {
    public struct Range: Encodable, Sendable {
        public var MIN: JSON?
        public var MAX: JSON?
        public var VALS: [String]?
    }

    /// Arguments accepted instead of the value.
    public struct Overload: Encodable, Sendable {
        public var TYPE: String
        public var RANGE: [Range]
    }

    /// A value in JSON: a number, a text, true or false; null for a value without a JSON form.
    public enum JSON: Encodable, Sendable {
        case argument(Argument)

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            guard case .argument(let argument) = self else { return }
            switch argument {
            case .int(let value): try container.encode(value)
            case .float(let value): try value.isFinite ? container.encode(value) : container.encodeNil()
            case .double(let value): try value.isFinite ? container.encode(value) : container.encodeNil()
            case .string(let value): try container.encode(value)
            case .bool(let value): try container.encode(value)
            case .other, .unreadable: try container.encodeNil()
            }
        }
    }

    public let FULL_PATH: String
    public let DESCRIPTION: String
    public var ACCESS = 0
    public var TYPE: String?
    public var VALUE: [JSON]?
    public var RANGE: [Range?]?
    public var UNIT: [String]?
    public var CLIPMODE: [String]?
    public var TAGS: [String]?
    public var EXTENDED_TYPE: [String]?
    public var CRITICAL: Bool?
    public var OVERLOADS: [Overload]?
    public var CONTENTS: [String: OSCQueryNode]?

    /// An empty container.
    public init(container path: String, summary: String) {
        FULL_PATH = path
        DESCRIPTION = summary
        CONTENTS = [:]
    }

    public init(_ node: ParameterTree.Node, value: ParameterValue) {
        let spec = node.spec
        FULL_PATH = node.address
        DESCRIPTION = "\(spec.title). \(spec.summary)"
        ACCESS = spec.access.rawValue
        let count = spec.count ?? value.numbers.count
        if spec.kind == .list {
            // An empty row has the type nil, and its value is null.
            TYPE = count == 0 ? "N" : String(repeating: "f", count: count)
        } else {
            TYPE = spec.oscType
        }
        if spec.access != .write { VALUE = spec.arguments(value).map(JSON.argument) }
        if VALUE?.isEmpty == true { VALUE = [.argument(.other)] }
        switch spec.kind {
        case .list where count == 0: RANGE = [nil]
        case .number, .integer, .vector, .list:
            let range = Self.range(spec)
            RANGE = Array(repeating: range, count: count)
            CLIPMODE = Array(repeating: spec.isCircular || range == nil ? "none" : range?.MAX == nil ? "low" : "both", count: count)
        case .choice(let names): RANGE = [Range(VALS: names)]
        case .toggle, .text: RANGE = Array(repeating: nil, count: spec.oscType.utf8.count)
        case .impulse: break
        }
        if spec.unit != .none, count > 0 { UNIT = Array(repeating: spec.unit.rawValue, count: count) }
        if spec.isCritical { CRITICAL = true }
        if !spec.words.isEmpty { OVERLOADS = [Overload(TYPE: "s", RANGE: [Range(VALS: spec.words)])] }
        var tags: [String] = []
        if case .number(logarithmic: true) = spec.kind { tags.append("logarithmic") }
        if spec.isCircular { tags.append("circular") }
        if spec.kind == .list, spec.access == .readWrite { tags.append("row") }
        if let role = spec.role {
            switch role {
            case .orientationEuler, .orientationQuaternion: EXTENDED_TYPE = Array(repeating: role.rawValue, count: count)
            default: tags += [role.rawValue] + (role.formerName.map { [$0] } ?? [])
            }
        }
        if case .vector(let names) = spec.kind { tags += names.map { "part.\($0)" } }
        if let place = spec.place { tags.append("place.\(place)") }
        if let method = spec.method { tags.append("only.\(method)") }
        if !tags.isEmpty { TAGS = tags }
    }

    /// The range of a number, with whole bounds for integers; a bound that is only the limit of the type is left out.
    private static func range(_ spec: ParameterSpec) -> Range? {
        let isInteger = spec.kind == .integer
        func bound(_ value: Float) -> JSON? {
            guard abs(value) < (isInteger ? Float(1 << 24) : .greatestFiniteMagnitude) else { return nil }
            return .argument(isInteger ? .int(Int32(clamping: value)) : .float(value))
        }
        let range = Range(MIN: bound(spec.range.lowerBound), MAX: bound(spec.range.upperBound))
        return range.MIN == nil && range.MAX == nil ? nil : range
    }

    /// The namespace from `path` downwards; nil where there is no such node.
    public static func describe(
        _ tree: ParameterTree, path: String, value: (Int) -> ParameterValue
    ) -> OSCQueryNode? {
        describe(tree, path: path) { OSCQueryNode($0, value: value($0.index)) }
    }

    private static func describe(
        _ tree: ParameterTree, path: String, _ parameter: (ParameterTree.Node) -> OSCQueryNode
    ) -> OSCQueryNode? {
        if let index = tree.index(at: path) { return parameter(tree.nodes[index]) }
        let prefix = path == "/" ? "/" : path + "/"
        let inside = tree.nodes.filter {
            $0.address.hasPrefix(prefix) && ParameterTree.lists($0.address, in: path, mostListed: tree.mostListed)
        }
        return inside.isEmpty ? nil : describe(tree, path: path, prefix: prefix, inside, parameter)
    }

    /// The container at `path`; every node of `inside` is somewhere below it.
    private static func describe(
        _ tree: ParameterTree, path: String, prefix: String, _ inside: [ParameterTree.Node],
        _ parameter: (ParameterTree.Node) -> OSCQueryNode
    ) -> OSCQueryNode {
        var container = OSCQueryNode(container: path, summary: tree.containers[path] ?? "")
        if let topic = tree.topics[path] { container.TAGS = [topic.tag] }
        let children = Dictionary(grouping: inside) { node in
            String(Substring(node.address.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }))
        }
        for (name, below) in children {
            let child = prefix + name
            container.CONTENTS?[name] =
                below[0].address == child
                ? parameter(below[0])
                : describe(tree, path: child, prefix: child + "/", below, parameter)
        }
        return container
    }
}
