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

    /// What there is for a request.
    enum Match {
        /// - Parameter rest: the part of the path that stands in braces in the route.
        case found(Route, rest: String)
        /// Only a WebSocket has this address.
        case needsSocket(Route, rest: String)
        /// The address does not support the method; those that it does support.
        case unsupported([String])
    }

    /// - Parameter method: nil for one that no route has.
    func match(_ path: String, _ method: Route.Method?, subprotocol: String? = nil) -> Match {
        var supported: Set<Route.Method> = []
        for (rest, routes) in candidates(path) {
            if let method, let route = routes.first(where: { $0.accepts(method, subprotocol: subprotocol) }) {
                return .found(route, rest: rest)
            }
            if method == .get, let route = routes.first(where: \.isSocket) { return .needsSocket(route, rest: rest) }
            supported.formUnion(routes.flatMap(\.methods))
        }
        return .unsupported(Route.Method.allCases.filter(supported.contains).flatMap(\.names))
    }

    private func candidates(_ path: String) -> [(rest: String, routes: [Route])] {
        let exact = whole[path].map { [("", $0)] } ?? []
        return exact + beginnings.compactMap { (beginning, routes) in beginning.rest(path).map { ($0, routes) } }
    }
}
