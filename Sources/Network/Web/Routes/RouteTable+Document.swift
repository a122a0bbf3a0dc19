internal import Foundation

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

    /// What a request may carry.
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
