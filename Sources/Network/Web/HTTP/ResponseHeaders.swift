internal import Glibc

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
