internal import Foundation
internal import Web

/// A query of the media library: `/library?search=birds&kind=recordings&tag=May&order=changed&from=0&count=100`. Every part is optional.
public struct LibraryQuery: Sendable, Equatable {
    /// Orders of the list: by name, the latest change first, the largest first, the longest first, the loudest first.
    public enum Order: String, CaseIterable, Sendable {
        case name, changed, size, seconds, loudness
    }

    struct Problem: Error { let text: String }

    /// Files in an answer.
    private static let (usual, most) = (100, 1000)
    private static let names = ["search", "kind", "tag", "order", "from", "count"]

    /// Words between spaces, all of which are found in name, kind, place or description.
    public var search = ""
    /// Empty for all.
    public var kind = ""
    /// Empty for all.
    public var tag = ""
    public var order = Order.name
    /// Position of the answer's first file among the files that were found.
    public var from = 0
    /// Files in the answer, at most.
    public var count = Self.usual

    public init() {}

    /// - Parameter value: the value of a name in the query, decoded; nil without one.
    /// - Returns: nil for a query without any of these names, which asks for the whole list.
    init?(_ value: (_ name: String) -> String?) throws(Problem) {
        guard Self.names.contains(where: { value($0) != nil }) else { return nil }
        (search, kind, tag) = (value("search") ?? "", value("kind") ?? "", value("tag") ?? "")
        if let name = value("order") {
            guard let order = Order(rawValue: name) else {
                throw Problem(text: "the orders are \(Order.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(name.prefix(40))\"")
            }
            self.order = order
        }
        func number(_ name: String, _ usual: Int, _ range: ClosedRange<Int>) throws(Problem) -> Int {
            guard let given = value(name) else { return usual }
            guard let number = RequestForm.number(given), range.contains(number) else {
                throw Problem(text: "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        from = try number("from", 0, 0...1_000_000)
        count = try number("count", Self.usual, 1...Self.most)
    }
}
