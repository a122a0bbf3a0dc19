internal import Foundation
internal import Hub
internal import Parameters
internal import Web

/// The namespace over HTTP, in OSCQuery's form.
struct OSCQueryService {
    private let hub: Hub
    private let pages: StaticFiles
    private let namespace: NamespaceText
    private let values: VisitorValues

    /// - Parameters:
    ///   - pages: the panel's files, which contain the template `pages/node.html`.
    ///   - values: for clients that may not control.
    init(hub: Hub, pages: StaticFiles, values: VisitorValues) {
        self.hub = hub
        self.pages = pages
        self.values = values
        namespace = NamespaceText(hub, values)
    }

    /// Prepares the answer to requests for the whole namespace, a part in each call.
    func warm() { namespace.warm() }

    /// - Parameters:
    ///   - path: an OSC path; slashes at its end are ignored.
    ///   - query: the name of one attribute, or nil for all.
    ///   - mayControl: whether the answer is for a client that may control.
    func answer(_ path: String, query: String?, mayControl: Bool, hostInfo: () -> HostInfo) -> Response {
        let attribute = query.map { String($0.prefix { $0 != "=" }) }
        if attribute == "HOST_INFO" { return .json(200, hostInfo()) }
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if attribute == nil || attribute == "CONTENTS" {
            let question = NamespaceText.Question(path: path, isContentsOnly: attribute != nil, mayControl: mayControl)
            if let json = namespace.json(question) { return .json(200, bytes: json) }
        }
        guard let node = OSCQueryNode.shallow(hub.tree, path: path, value: mayControl ? hub.value : values.value) else {
            return .text(404, hub.suggest(path))
        }
        guard let attribute else { return .json(200, node) }
        switch attribute {
        case "VALUE": return one(attribute, node.VALUE)
        case "TYPE": return one(attribute, node.TYPE)
        case "RANGE": return one(attribute, node.RANGE)
        case "DESCRIPTION": return one(attribute, node.DESCRIPTION)
        case "ACCESS": return one(attribute, node.ACCESS)
        case "UNIT": return one(attribute, node.UNIT)
        case "TAGS": return one(attribute, node.TAGS)
        case "CLIPMODE": return one(attribute, node.CLIPMODE)
        case "EXTENDED_TYPE": return one(attribute, node.EXTENDED_TYPE)
        case "FULL_PATH": return one(attribute, node.FULL_PATH)
        case "CRITICAL": return one(attribute, node.CRITICAL)
        case "CONTENTS": return one(attribute, node.CONTENTS)
        case "OVERLOADS": return one(attribute, node.OVERLOADS)
        case "HTML":
            return pages.template("node")?.response(NodePage.values(node))
                ?? .text(404, "nodes have no page: this server was started without the panel's files")
        default:
            return .text(
                400,
                "there is no attribute \(attribute.prefix(64)); the attributes are ACCESS, CLIPMODE, CONTENTS, CRITICAL, DESCRIPTION, "
                    + "EXTENDED_TYPE, FULL_PATH, HOST_INFO, HTML, OVERLOADS, RANGE, TAGS, TYPE, UNIT, VALUE")
        }
    }

    private func one(_ name: String, _ value: (some Encodable)?) -> Response {
        value.map { .json(200, [name: $0]) } ?? .empty(204)
    }
}

/// OSCQuery's HOST_INFO: the program's name, its ports, and the extensions it supports.
struct HostInfo: Encodable {
    let NAME = "Vestibule"
    let EXTENSIONS = Dictionary(
        uniqueKeysWithValues: [
            "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "EXTENDED_TYPE", "UNIT", "CRITICAL", "CLIPMODE",
            "OVERLOADS", "HTML", "LISTEN", "PATH_CHANGED",
            "PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED",
        ].map { ($0, true) })
    let OSC_IP: String
    let OSC_PORT: Int
    let OSC_TRANSPORT = "UDP"
    let WS_IP: String
    let WS_PORT: Int

    init(osc: (host: String, port: Int), http: (host: String, port: Int)) {
        (OSC_IP, OSC_PORT) = osc
        (WS_IP, WS_PORT) = http
    }
}

extension OSCQueryNode {
    /// The node at a path with its direct contents, but nothing below those; nil when there is none.
    static func shallow(_ tree: ParameterTree, path: String, value: (Int) -> ParameterValue) -> OSCQueryNode? {
        if let index = tree.index(at: path) { return OSCQueryNode(tree.nodes[index], value: value(index)) }
        let prefix = path == "/" ? "/" : path + "/"
        var contents: [String: OSCQueryNode] = [:]
        for node in tree.nodes
        where node.address.hasPrefix(prefix) && ParameterTree.lists(node.address, in: path, mostListed: tree.mostListed) {
            let name = String(Substring(node.address.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }))
            guard contents[name] == nil else { continue }
            let child = prefix + name
            contents[name] = node.address == child ? OSCQueryNode(node, value: value(node.index)) : container(tree, child)
        }
        guard !contents.isEmpty else { return nil }
        var node = container(tree, path)
        node.CONTENTS = contents
        return node
    }

    private static func container(_ tree: ParameterTree, _ path: String) -> OSCQueryNode {
        var container = OSCQueryNode(container: path, summary: tree.containers[path] ?? "")
        if let topic = tree.topics[path] { container.TAGS = [topic.tag] }
        return container
    }
}

/// OSCQuery's `?HTML`: one node of the namespace as a page without scripts.
enum NodePage {
    /// Attributes as clients get them in JSON, and links to the nodes above and below.
    static func values(_ node: OSCQueryNode) -> [String: PageTemplate.Value] {
        [
            "path": .text(node.FULL_PATH), "description": .text(node.DESCRIPTION),
            "parent": .list(parent(node.FULL_PATH).map { [["parent": .text($0)]] } ?? []),
            "attributes": .list(attributes(node).map { ["name": .text($0.name), "value": .text($0.value)] }),
            "nodes": .list(
                (node.CONTENTS ?? [:]).sorted { $0.key < $1.key }.map { name, child in
                    ["name": .text(name), "address": .text(child.FULL_PATH), "title": .text(child.DESCRIPTION)]
                }),
        ]
    }

    private static func parent(_ path: String) -> String? {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func attributes(_ node: OSCQueryNode) -> [(name: String, value: String)] {
        var bare = node
        bare.CONTENTS = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        guard let data = try? encoder.encode(bare),
            let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [] }
        return all.sorted { $0.key < $1.key }.map { name, value in
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            let text = (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data()
            return (name, String(decoding: text, as: UTF8.self))
        }
    }
}
