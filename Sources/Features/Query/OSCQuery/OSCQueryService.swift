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
    ///   - values: for those who may not control.
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
    ///   - mayControl: whether the answer is for someone who may control.
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
