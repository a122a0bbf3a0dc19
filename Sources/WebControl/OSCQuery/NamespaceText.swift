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

    private struct Pieces {
        private var all: [Piece] = []
        /// The text after the last node.
        var text = JSONText()

        mutating func append(_ node: Int) {
            all += [.text(text.bytes), .node(node)]
            text = JSONText()
        }

        consuming func finished() -> [Piece] { all + [.text(text.bytes)] }
    }

    private struct Container {
        let pieces: [Piece]
        var text: [UInt8] = []
        /// Version of the values in `text`; 0 before the first.
        var version = 0
    }

    private static let mostContainers = 64
    /// Nodes that ``warm()`` encodes in one call.
    private static let warmed = 256
    private let hub: Hub
    private var subscriber: Subscriber?
    /// JSON of each node by its index; nil when its value has changed.
    private var nodes: [[UInt8]?] = []
    private var containers: [Question: Container] = [:]
    private var shape = 0
    /// Rises whenever a value has changed.
    private var version = 1
    /// The next node that ``warm()`` encodes.
    private var next = 0

    init(_ hub: Hub) {
        self.hub = hub
    }

    deinit { if let subscriber { hub.unsubscribe(subscriber) } }

    /// - Returns: nil when there is no container at the path.
    func json(_ question: Question) -> [UInt8]? {
        refresh()
        guard var container = containers[question] ?? build(question) else { return nil }
        if container.version != version {
            container.text = text(container.pieces, capacity: container.text.count)
            container.version = version
            if containers.count >= Self.mostContainers, containers[question] == nil { containers.removeAll() }
            containers[question] = container
        }
        return container.text
    }

    /// Encodes some of the nodes that nobody has asked for since the namespace changed, so that the first request for all of it takes no
    /// longer than others. Called in every idle turn.
    func warm() {
        guard shape != hub.shape || next < nodes.count || subscriber == nil else { return }
        refresh()
        let end = min(next + Self.warmed, nodes.count)
        for index in next..<max(next, end) where !hub.tree.nodes[index].address.isEmpty { _ = node(index) }
        next = max(next, end)
    }

    /// Discards the text of nodes that have changed, and that of containers when the namespace has.
    private func refresh() {
        if shape != hub.shape || nodes.isEmpty {
            containers.removeAll()
            nodes += repeatElement(nil, count: max(0, hub.tree.nodes.count - nodes.count))
            for index in nodes.indices where hub.shape(of: index) > shape { nodes[index] = nil }
            shape = hub.shape
            version += 1
            next = 0
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

    private func text(_ pieces: [Piece], capacity: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(capacity + 1024)
        for piece in pieces {
            switch piece {
            case .text(let bytes): text += bytes
            case .node(let index): text += node(index)
            }
        }
        return text
    }

    private func node(_ index: Int) -> [UInt8] {
        if let known = nodes[index] { return known }
        var text = JSONText()
        text.append(OSCQueryNode(hub.tree.nodes[index], value: hub.value(index)))
        nodes[index] = text.bytes
        return text.bytes
    }

    // MARK: Pieces

    private func build(_ question: Question) -> Container? {
        guard hub.tree.index(at: question.path) == nil,
            let node = OSCQueryNode.outline(hub.tree, path: question.path)
        else { return nil }
        var pieces = Pieces()
        if question.isContentsOnly {
            pieces.text.append("{")
            addContents(of: node, to: &pieces)
            pieces.text.append("}")
        } else {
            add(node, to: &pieces)
        }
        return Container(pieces: pieces.finished())
    }

    private func add(_ node: OSCQueryNode, to pieces: inout Pieces) {
        guard node.CONTENTS != nil else {
            if let index = hub.tree.index(at: node.FULL_PATH) { pieces.append(index) }
            return
        }
        pieces.text.append("{")
        pieces.text.appendAttributesBeforeContents(node)
        pieces.text.append(",")
        addContents(of: node, to: &pieces)
        pieces.text.appendAttributesAfterContents(node)
        pieces.text.append("}")
    }

    private func addContents(of node: OSCQueryNode, to pieces: inout Pieces) {
        pieces.text.append("\"CONTENTS\":{")
        for (number, (name, child)) in (node.CONTENTS ?? [:]).sorted(by: { $0.key < $1.key }).enumerated() {
            if number > 0 { pieces.text.append(",") }
            pieces.text.append(quoting: name)
            pieces.text.append(":")
            add(child, to: &pieces)
        }
        pieces.text.append("}")
    }
}
