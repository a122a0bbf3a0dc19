internal import Files
internal import Foundation

/// The answer to an HTTP request.
struct Response: Sendable {
    enum Body {
        case none
        case bytes([UInt8])
        case file(RegularFile, Range<Int>)
        /// A part of a file that another thread reads.
        case feed(FileFeed, count: Int)
        /// Not known yet: another thread opens the file, and makes the response that is sent.
        case later(FileAnswer)
    }

    var status: Int
    /// Names end with a colon and are in lower case.
    var headers: [(name: String, value: String)] = []
    var body = Body.none

    var length: Int {
        switch body {
        case .none, .later: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        case .feed(_, let count): count
        }
    }

    /// False for the statuses that never have a body.
    var hasLength: Bool { status != 204 && status != 304 }

    static func empty(_ status: Int) -> Response { Response(status: status) }

    /// One line of plain text.
    static func text(_ status: Int, _ text: String) -> Response {
        Response(
            status: status, headers: [("content-type:", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8)))
    }

    /// JSON that has been encoded.
    static func json(_ status: Int, bytes: [UInt8]) -> Response {
        Response(status: status, headers: [("content-type:", "application/json")], body: .bytes(bytes))
    }

    /// A value as JSON, with sorted keys, so that equal values give equal text.
    static func json(_ status: Int, _ value: some Encodable) -> Response {
        do {
            return json(status, bytes: [UInt8](try JSONEncoder.wire.encode(value)))
        } catch {
            return text(500, "the answer cannot be encoded as JSON: \(error)")
        }
    }
}
