internal import FileOutput
internal import Hub
package import Web

/// Serves the table of listeners, in parts.
package struct ListenersPage: WebFeature {
    /// Largest number in a request, which is more than there can be listeners.
    private static let mostListeners = 1_000_000
    private let rows: (_ from: Int, _ count: Int, _ search: String) -> [UInt8]

    /// - Parameter rows: returns `count` of the rows that a search finds, beginning with number `from`, as JSON.
    package init(rows: @escaping (_ from: Int, _ count: Int, _ search: String) -> [UInt8]) { self.rows = rows }

    package var routes: [Route] {
        [.get("/listeners", .view, "The listeners, 50 at a time: `?from=N&count=N&search=TEXT`.") { answer($0.request) }]
    }

    private func answer(_ request: Request) -> Response {
        var numbers = ["from": 0, "count": 50]
        for name in numbers.keys.sorted() {
            guard let given = request.query(name) else { continue }
            guard let number = RequestForm.number(given), number <= Self.mostListeners else {
                let shown = LogText.line(String(given.prefix(40)))
                return .text(400, "\(name) is \"\(shown)\", but must be a whole number from 0 to \(Self.mostListeners)")
            }
            numbers[name] = number
        }
        let search = request.query("search") ?? ""
        return .json(200, bytes: rows(numbers["from"] ?? 0, numbers["count"] ?? 0, FilePlace.composed(search)))
    }
}
