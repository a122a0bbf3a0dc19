package import Files
internal import Foundation

/// The answer to an HTTP request.
package struct Response: Sendable {
    package enum Body {
        case none
        case bytes([UInt8])
        case file(RegularFile, Range<Int>)
        /// A part of a file that another thread reads.
        case feed(FileFeed, count: Int)
        /// Not known yet: another thread opens the file, and makes the response that is sent.
        case later(FileAnswer)
    }

    package var status: Int
    /// Names end with a colon and are in lower case.
    package var headers: [(name: String, value: String)] = []
    package var body = Body.none

    package init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .none) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package var length: Int {
        switch body {
        case .none, .later: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        case .feed(_, let count): count
        }
    }

    /// False for the statuses that never have a body.
    package var hasLength: Bool { status != 204 && status != 304 }

    package static func empty(_ status: Int) -> Response { Response(status: status) }

    /// One line of plain text.
    package static func text(_ status: Int, _ text: String) -> Response {
        Response(
            status: status, headers: [("content-type:", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8)))
    }

    /// JSON that has been encoded.
    package static func json(_ status: Int, bytes: [UInt8]) -> Response {
        Response(status: status, headers: [("content-type:", "application/json")], body: .bytes(bytes))
    }

    /// A value as JSON, with sorted keys, so that equal values give equal text.
    package static func json(_ status: Int, _ value: some Encodable) -> Response {
        do {
            return json(status, bytes: [UInt8](try JSONEncoder.wire.encode(value)))
        } catch {
            return text(500, "the answer cannot be encoded as JSON: \(error)")
        }
    }
}
