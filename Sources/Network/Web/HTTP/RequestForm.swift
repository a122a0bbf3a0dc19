internal import CFrameMask
internal import CWebSockets
internal import Foundation

/// Checks that the headers of a request are unambiguous about its host and its end.
///
/// An ambiguous request is refused and its connection closed: a proxy in front might read it differently, and take a part of one request
/// for another.
package enum RequestForm {
    /// - Returns: the answer to a request that is refused; nil for one in good form.
    static func refusal(_ request: Request) -> Response? {
        if let problem = request.customHeader(REQUEST_PROBLEM_HEADER) { return headRefusal(Int(problem) ?? REQUEST_PROBLEM_LINE) }
        let address = Array(request.path.utf8) + Array((request.query ?? "").utf8)
        guard !address.contains(malformedEscape) else {
            return .text(400, "two hexadecimal digits must follow each % in an address; a percent sign itself is written %25")
        }
        guard !address.contains(where: isControl) else {
            return .text(400, "an address has no #, no ; after the question mark, and no control characters, such as %00, %0A and %0D")
        }
        guard let host = request.header(WSI_TOKEN_HOST), isHost(host) else {
            return .text(400, "a request needs one Host header: a name or an address, and a port if it is not the usual one")
        }
        let length = request.header(WSI_TOKEN_HTTP_CONTENT_LENGTH)
        if request.header(WSI_TOKEN_HTTP_TRANSFER_ENCODING) != nil {
            return length == nil
                ? .text(411, "a Content-Length header is needed; Transfer-Encoding is not supported")
                : .text(400, "a request has either Content-Length or Transfer-Encoding")
        }
        guard let length else { return nil }
        guard isDigits(length) else { return .text(400, "a request has one Content-Length header: a number of bytes") }
        let count = number(length)
        guard count == 0 || request.method != .get && request.method != .head else {
            return .text(400, "a GET or HEAD request has no body")
        }
        guard count != nil else { return .text(413, "the body is too large: a Content-Length has at most \(mostDigits) digits") }
        return nil
    }

    /// The answer to a head that was refused before the library read it (CFrameMask).
    private static func headRefusal(_ problem: Int) -> Response {
        switch problem {
        case REQUEST_PROBLEM_SIZE:
            .text(431, "the line and the headers of a request have at most \(REQUEST_HEAD_MOST) bytes; send fewer or shorter headers")
        case REQUEST_PROBLEM_HEADERS:
            .text(
                431,
                "the headers that this server reads have at most \(REQUEST_GIVEN_MOST) bytes and \(REQUEST_HEADERS_MOST) lines; "
                    + "send fewer or shorter ones")
        case REQUEST_PROBLEM_TARGET_SIZE:
            .text(
                414, "the address of a request has at most \(REQUEST_TARGET_MOST) bytes, and \(REQUEST_FIELDS_MOST) fields separated by &")
        case REQUEST_PROBLEM_METHOD:
            .text(501, "this server does not support the method of the request; it supports GET, HEAD, POST, PATCH, DELETE and OPTIONS")
        case REQUEST_PROBLEM_VERSION: .text(505, "this server supports HTTP/1.1 and HTTP/1.0")
        case REQUEST_PROBLEM_HEADER_FORM:
            .text(
                400,
                "a header is one line: a name, a colon without a space in front of it, and a value without control characters; "
                    + "a line that begins with a space is not supported")
        case REQUEST_PROBLEM_HOST: .text(400, "a request has one Host header, with the name in its address if that begins with http://")
        case REQUEST_PROBLEM_LENGTH: .text(400, "a request has one Content-Length header: a number of bytes")
        default: .text(400, "a request begins with a line of a method, an address that begins with / and HTTP/1.1")
        }
    }

    /// - Returns: the answer to a request to open a WebSocket that is refused; nil for one in good form (RFC 6455, 4.2.1).
    static func upgradeRefusal(_ request: Request) -> Response? {
        guard request.header(WSI_TOKEN_VERSION) == "13" else {
            var response = Response.text(426, "a WebSocket needs Sec-WebSocket-Version: 13")
            response.headers += [("sec-websocket-version:", "13"), ("upgrade:", "websocket")]
            return response
        }
        guard let key = request.header(WSI_TOKEN_KEY), Data(base64Encoded: key)?.count == 16 else {
            return .text(400, "a WebSocket needs a Sec-WebSocket-Key of 16 bytes in base64")
        }
        return nil
    }

    /// The answer to a plain request for something that only WebSockets deliver (RFC 9110, 15.5.22).
    static func needsWebSocket(_ path: String) -> Response {
        var response = Response.text(426, "\(path) delivers a stream over a WebSocket; open it with ws:// or wss://")
        response.headers += [("upgrade:", "websocket"), ("connection:", "upgrade")]
        return response
    }

    /// Stands for a percent sign that no two hexadecimal digits follow (CFrameMask).
    private static let malformedEscape: UInt8 = 0x02
    /// Digits of the largest number that is read; it cannot overflow.
    static let mostDigits = 18

    /// Parses a number of digits only, too few to overflow; nil for any other text.
    package static func number(_ text: String) -> Int? {
        isDigits(text) && text.utf8.drop { $0 == 0x30 }.count <= mostDigits ? Int(text) : nil
    }

    /// Whether a text is a number without a sign, which may be too large for ``number(_:)``.
    package static func isDigits(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }

    /// Whether a text is a host name, an IPv4 address or an IPv6 address in brackets, with or without a port.
    package static func isHost(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var end = 0
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), close > 2 else { return false }
            guard bytes[1..<close].allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
                return false
            }
            end = close + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard (1...255).contains(end), bytes[..<end].allSatisfy(isNameByte) else { return false }
        }
        guard end < bytes.count else { return true }
        let port = String(decoding: bytes[(end + 1)...], as: UTF8.self)
        return bytes[end] == UInt8(ascii: ":") && number(port).map { $0 <= 65_535 } == true
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
