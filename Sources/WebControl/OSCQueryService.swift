internal import Hub
internal import Parameters

/// The namespace over HTTP, as OSCQuery has it.
struct OSCQueryService {
    let hub: Hub

    /// - Parameters:
    ///   - path: an OSC path; a slash at its end is ignored.
    ///   - query: the name of one attribute, or nil for everything.
    func answer(_ path: String, query: String?, hostInfo: () -> HostInfo) -> Response {
        let attribute = query.map { String($0.prefix { $0 != "=" }) }
        if attribute == "HOST_INFO" { return .json(200, hostInfo()) }
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let node = OSCQueryNode.describe(hub.tree, path: path, value: hub.value) else {
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
        case "HTML": return NodePage.response(node)
        default:
            return .text(
                400,
                "no attribute \(attribute.prefix(64)); there are ACCESS, CLIPMODE, CONTENTS, CRITICAL, DESCRIPTION, "
                    + "EXTENDED_TYPE, FULL_PATH, HOST_INFO, HTML, OVERLOADS, RANGE, TAGS, TYPE, UNIT, VALUE")
        }
    }

    private func one(_ name: String, _ value: (some Encodable)?) -> Response {
        value.map { .json(200, [name: $0]) } ?? .empty(204)
    }
}
