internal import Files
internal import Hub
internal import Parameters

/// The JSON of containers of the namespace, made once per change and shared by all requests.
///
/// The text of a container is that of its skeleton and of its parameters, each of which is encoded again only when its value has changed.
final class NamespaceText {
    /// A container, and the requested part of it.
    struct Question: Hashable {
        let path: String
        /// Whether only the attribute CONTENTS is wanted.
        var isContentsOnly = false
        /// Whether the text is for clients that may control; others see no folders of the machine.
        var mayControl = true
    }

    private struct Container {
        let skeleton: NamespaceSkeleton
        var text: [UInt8] = []
        /// Version of the values in `text`; 0 before the first.
        var version = 0
    }

    private static let mostContainers = 64
    /// Nodes that ``warm()`` encodes in one call.
    private static let warmed = 256
    private let hub: Hub
    private let values: VisitorValues
    private var subscriber: Subscriber?
    /// JSON of each node by its index; nil when its value has changed.
    private var nodes: [[UInt8]?] = []
    /// JSON of the nodes whose values differ for clients that may not control, and the version of the folders that are hidden in it.
    private var shown: [Int: [UInt8]] = [:]
    private var folders = 0
    private var containers: [Question: Container] = [:]
    private var order = NamespaceOrder()
    private var shape = 0
    /// Rises whenever a value has changed.
    private var version = 1
    /// The next node that ``warm()`` encodes.
    private var next = 0

    init(_ hub: Hub, _ values: VisitorValues) {
        self.hub = hub
        self.values = values
    }

    deinit { if let subscriber { hub.unsubscribe(subscriber) } }

    /// - Returns: nil when there is no container at the path.
    func json(_ question: Question) -> [UInt8]? {
        refresh()
        guard var container = containers[question] ?? build(question) else { return nil }
        if container.version != version {
            container.text = container.skeleton.text(capacity: container.text.count, question.mayControl ? node : shown)
            container.version = version
            if containers.count >= Self.mostContainers, containers[question] == nil { containers.removeAll() }
            containers[question] = container
        }
        return container.text
    }

    /// Encodes some of the nodes that were not requested since the namespace changed, so that the first request for all of it takes no
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
            let changed = nodes.indices.map { shape == 0 || hub.shape(of: $0) > shape }
            for index in nodes.indices where changed[index] { (nodes[index], shown[index]) = (nil, nil) }
            order.update(hub.tree, changed: changed)
            shape = hub.shape
            version += 1
            next = 0
        }
        if folders != values.folders.version {
            (shown, folders) = ([:], values.folders.version)
            version += 1
        }
        let subscriber = subscriber ?? subscribe()
        guard subscriber.hasPending else { return }
        version += 1
        for index in subscriber.takePending() where index < nodes.count { (nodes[index], shown[index]) = (nil, nil) }
    }

    private func subscribe() -> Subscriber {
        let subscriber = hub.subscribe {}
        _ = hub.listen(subscriber, to: "/")
        self.subscriber = subscriber
        return subscriber
    }

    private func node(_ index: Int) -> [UInt8] {
        if let known = nodes[index] { return known }
        var text = JSONText()
        text.append(OSCQueryNode(hub.tree.nodes[index], value: hub.value(index)))
        nodes[index] = text.bytes
        return text.bytes
    }

    /// The node for clients that may not control.
    private func shown(_ index: Int) -> [UInt8] {
        if let known = shown[index] { return known }
        let value = values.value(index)
        guard value != hub.value(index) else { return node(index) }
        var text = JSONText()
        text.append(OSCQueryNode(hub.tree.nodes[index], value: value))
        shown[index] = text.bytes
        return text.bytes
    }

    private func build(_ question: Question) -> Container? {
        guard hub.tree.index(at: question.path) == nil else { return nil }
        return NamespaceSkeleton(hub.tree, order, path: question.path, isContentsOnly: question.isContentsOnly)
            .map { Container(skeleton: $0) }
    }
}
