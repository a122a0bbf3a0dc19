internal import Foundation
internal import Hub
internal import Parameters

/// The JSON of containers of the namespace, made once per change and shared by all requests.
///
/// The text of a container is a list of pieces: what never changes between two nodes, and the nodes, each of which is encoded anew
/// only when its value has changed.
final class NamespaceText {
    /// A container, and how much of it is asked for.
    struct Question: Hashable {
        let path: String
        /// Whether only the attribute CONTENTS is wanted.
        var isContentsOnly = false
    }

    private enum Piece {
        case text([UInt8])
        case node(Int)
    }

    private struct Container {
        let pieces: [Piece]
        var text: [UInt8] = []
        /// Version of the values in `text`; 0 before the first.
        var version = 0
    }

    private static let mostContainers = 64
    private let hub: Hub
    private var subscriber: Subscriber?
    private let encoder = JSONEncoder()
    /// JSON of each node by its index; nil when its value has changed.
    private var nodes: [[UInt8]?] = []
    private var containers: [Question: Container] = [:]
    private var shape = 0
    /// Rises whenever a value has changed.
    private var version = 1

    init(_ hub: Hub) {
        self.hub = hub
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    deinit { if let subscriber { hub.unsubscribe(subscriber) } }

    /// - Returns: nil when there is no container at the path.
    func json(_ question: Question) throws -> [UInt8]? {
        refresh()
        guard var container = try containers[question] ?? build(question) else { return nil }
        if container.version != version {
            container.text = try text(container.pieces, capacity: container.text.count)
            container.version = version
            if containers.count >= Self.mostContainers, containers[question] == nil { containers.removeAll() }
            containers[question] = container
        }
        return container.text
    }

    /// Discards the text of nodes whose values have changed, and all text when the namespace has.
    private func refresh() {
        if shape != hub.shape {
            shape = hub.shape
            containers.removeAll()
            nodes = Array(repeating: nil, count: hub.tree.nodes.count)
            version += 1
        }
        let subscriber = subscriber ?? subscribe()
        guard subscriber.hasPending else { return }
        version += 1
        for index in subscriber.takePending() where index < nodes.count { nodes[index] = nil }
    }

    private func subscribe() -> Subscriber {
        let subscriber = hub.subscribe {}
        _ = hub.listen(subscriber, to: "/")
        self.subscriber = subscriber
        return subscriber
    }

    private func text(_ pieces: [Piece], capacity: Int) throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(capacity + 1024)
        for piece in pieces {
            switch piece {
            case .text(let bytes): text += bytes
            case .node(let index): text += try node(index)
            }
        }
        return text
    }

    private func node(_ index: Int) throws -> [UInt8] {
        if let known = nodes[index] { return known }
        let bytes = [UInt8](try encoder.encode(OSCQueryNode(hub.tree.nodes[index], value: hub.value(index))))
        nodes[index] = bytes
        return bytes
    }

    // MARK: Pieces

    private func build(_ question: Question) throws -> Container? {
        guard hub.tree.index(at: question.path) == nil,
            let node = OSCQueryNode.describe(hub.tree, path: question.path, value: { _ in .impulse })
        else { return nil }
        var pieces: [Piece] = []
        if question.isContentsOnly {
            try addContents(of: node, to: &pieces, opening: "{", closing: "}")
        } else {
            try add(node, to: &pieces)
        }
        return Container(pieces: pieces)
    }

    private func add(_ node: OSCQueryNode, to pieces: inout [Piece]) throws {
        guard node.CONTENTS != nil else {
            if let index = hub.tree.index(at: node.FULL_PATH) { pieces.append(.node(index)) }
            return
        }
        var bare = node
        bare.CONTENTS = nil
        // The keys are sorted, and ACCESS comes before CONTENTS.
        let attributes = String(decoding: try encoder.encode(bare), as: UTF8.self)
        let comma = attributes.firstIndex(of: ",") ?? attributes.startIndex
        try addContents(of: node, to: &pieces, opening: attributes[...comma], closing: attributes[comma...])
    }

    private func addContents(
        of node: OSCQueryNode, to pieces: inout [Piece], opening: some StringProtocol, closing: some StringProtocol
    ) throws {
        append("\(opening)\"CONTENTS\":{", to: &pieces)
        for (number, (name, child)) in (node.CONTENTS ?? [:]).sorted(by: { $0.key < $1.key }).enumerated() {
            append("\(number > 0 ? "," : "")\"\(name)\":", to: &pieces)
            try add(child, to: &pieces)
        }
        append("}\(closing)", to: &pieces)
    }

    /// Adds text, joining it with the text before it.
    private func append(_ text: String, to pieces: inout [Piece]) {
        if case .text(let before)? = pieces.last {
            pieces[pieces.count - 1] = .text(before + text.utf8)
        } else {
            pieces.append(.text(Array(text.utf8)))
        }
    }
}
