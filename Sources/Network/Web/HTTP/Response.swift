package import Files
internal import Foundation
internal import Glibc

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

/// Headers of every response, also of those that the library or the acceptor writes.
package enum ResponseHeaders {
    /// Header of responses without any other rule for caches.
    static let uncached = (name: "cache-control:", value: "no-cache")

    /// Header of responses that pages of other servers may not use.
    package static let resourcePolicy = (name: "cross-origin-resource-policy:", value: "same-origin")

    /// Headers of all responses. Names end with a colon and are in lower case.
    static let everywhere = [
        (name: "x-content-type-options:", value: "nosniff"),
        (name: "x-frame-options:", value: "DENY"),
        (name: "referrer-policy:", value: "same-origin"),
        (
            name: "content-security-policy:",
            value: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ws: wss:; media-src 'self' blob: https:; "
                + "style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'"
        ),
    ]

    /// A whole response of status 503, for a connection that is closed at once.
    /// - Parameter reason: one line of text.
    static func refusal(_ reason: String) -> [UInt8] {
        let fields =
            everywhere + [
                resourcePolicy, uncached, (name: "content-type:", value: "text/plain; charset=utf-8"), (name: "retry-after:", value: "1"),
                (name: "connection:", value: "close"), (name: "content-length:", value: "\(reason.utf8.count + 1)"),
            ]
        let head = fields.map { "\($0.name) \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 503 Service Unavailable\r\n\(head)\r\n\(reason)\n".utf8)
    }

    /// A date in seconds since 1970 as HTTP writes it (RFC 9110, 5.6.7).
    package static func date(_ seconds: Double) -> String {
        var (time, parts) = (time_t(clamping: seconds), tm())
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
