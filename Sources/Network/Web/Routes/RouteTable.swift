internal import Foundation

/// All endpoints of the server. Of several rows that a path fits, the one with the longest path is taken that supports the method.
package struct RouteTable {
    /// In the order of the features, for the documentation.
    let routes: [Route]
    /// Rows for whole paths, and for the beginnings of paths, the longest ones first.
    private let whole: [String: [Route]]
    private let beginnings: [(path: RoutePath, routes: [Route])]

    init(_ routes: [Route]) {
        self.routes = routes
        let special = routes.filter(\.isSpecial) + routes.filter { !$0.isSpecial }
        whole = Dictionary(grouping: special.filter(\.path.isWhole), by: \.path.text)
        let others = Dictionary(grouping: special.filter { !$0.path.isWhole }, by: \.path.prefix)
        beginnings = others.map { ($1[0].path, $1) }.sorted { $0.path.prefix.utf8.count > $1.path.prefix.utf8.count }
    }

    /// Result of the search for a request's route.
    enum Match {
        /// - Parameter rest: the part of the path that stands in braces in the route.
        case found(Route, rest: String)
        /// Only a WebSocket has this address.
        case needsSocket(Route, rest: String)
        /// The address does not support the method; the methods that it does support.
        case unsupported([String])
    }

    /// - Parameter method: nil for one that no route has.
    func match(_ path: String, _ method: Route.Method?, subprotocol: String? = nil) -> Match {
        var supported: Set<Route.Method> = []
        for (rest, routes) in candidates(path) {
            if let method, let route = routes.first(where: { $0.accepts(method, subprotocol: subprotocol) }) {
                return .found(route, rest: rest)
            }
            if method == .get || method == .page, let route = routes.first(where: \.isSocket) { return .needsSocket(route, rest: rest) }
            supported.formUnion(routes.flatMap(\.methods))
        }
        return .unsupported(Route.Method.allCases.filter(supported.contains).flatMap(\.names))
    }

    private func candidates(_ path: String) -> [(rest: String, routes: [Route])] {
        let exact = whole[path].map { [("", $0)] } ?? []
        return exact + beginnings.compactMap { (beginning, routes) in beginning.rest(path).map { ($0, routes) } }
    }
}

extension RouteTable {
    /// The endpoints as a table in Markdown, in the order of their features.
    var markdown: String {
        let rows = routes.map { route in
            let cells = [
                "`\(route.path.text)`", route.uses,
                route.isPlain ? "\(route.audience.rawValue), also without TLS" : route.audience.rawValue,
                route.limit.replacing("|", with: "\\|"), route.summary,
            ]
            return "| \(cells.joined(separator: " | ")) |\n"
        }
        return "| path | method | for | at most | what |\n| --- | --- | --- | --- | --- |\n" + rows.joined()
    }
}

extension Route {
    fileprivate var uses: String {
        let names = methods.map { $0 == .page ? "GET by browsers" : $0.rawValue }.joined(separator: ", ")
        return subprotocol.map { "\(names), `\($0)`" } ?? names
    }

    /// Limit of a request's body or messages, in words.
    fileprivate var limit: String {
        switch action {
        case .json(let form, _): "\(Self.grouped(JSONBodies.longest)) bytes of JSON: `\(form)`"
        case .socket: "\(Self.grouped(longestMessage)) bytes a message"
        case .later where methods.contains { [.post, .patch].contains($0) }: "a file of a kind of `GET /files`"
        case .answer, .panel, .later: ""
        }
    }

    private static func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }
}
