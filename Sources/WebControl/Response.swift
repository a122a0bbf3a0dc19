internal import Foundation

/// An answer to an HTTP request.
struct Response {
    enum Body {
        case none
        case bytes([UInt8])
        case file(OpenFile, Range<Int>)
    }

    var status: Int
    /// Names end with a colon and are in lower case.
    var headers: [(name: String, value: String)] = []
    var body = Body.none

    var length: Int {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
    }

    /// Statuses that never have a body, and say no length.
    var hasLength: Bool { status != 204 && status != 304 }

    static func empty(_ status: Int) -> Response { Response(status: status) }

    /// A line for a person.
    static func text(_ status: Int, _ text: String) -> Response {
        Response(
            status: status, headers: [("content-type:", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8)))
    }

    /// Keys sorted, so that the same state is the same text.
    static func json(_ status: Int, _ value: some Encodable) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let bytes = [UInt8](try encoder.encode(value))
            return Response(status: status, headers: [("content-type:", "application/json")], body: .bytes(bytes))
        } catch {
            return text(500, "cannot be written as JSON: \(error)")
        }
    }
}
