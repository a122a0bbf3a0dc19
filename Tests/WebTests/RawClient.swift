import Foundation

/// A TCP connection that sends given bytes and waits for a response.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter receiveBuffer: bytes that the kernel may keep for this end; nil leaves it as it is.
    init(_ port: Int, receiveBuffer: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        wait(Self.patience)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Seconds that reading waits unless a test says otherwise: only a hang takes as long.
    static let patience = 60.0
    /// Seconds that reading waits.
    private(set) var limit = patience

    /// Sets the seconds that reading waits.
    func wait(_ seconds: Double) {
        limit = seconds
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    private var isOpen = true

    func close() {
        if isOpen { _ = Glibc.close(descriptor) }
        isOpen = false
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends nothing any more, and still reads.
    func endOfSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives at most as many bytes as there is room for, again where the process was stopped meanwhile.
    private func receive(_ piece: inout [UInt8]) -> Int {
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    private func more() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = receive(&piece)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    /// Reads exactly this number of bytes; nil when the connection ends or times out.
    func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard more() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Whether there is something to read, or the connection has ended.
    func hasBytes(within seconds: Double) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return !buffer.isEmpty || poll(&wait, 1, Int32(seconds * 1000)) > 0
    }

    /// The headers of a response, with the empty line.
    func readHeaders() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let at = buffer.firstRange(of: end) { return read(at.upperBound).map { String(decoding: $0, as: UTF8.self) } }
            guard more() else { return nil }
        }
    }

    /// True when the other end has closed the connection.
    func isClosed() -> Bool {
        while true {
            var byte: [UInt8] = [0]
            let count = receive(&byte)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            if count < 0 { return false }
        }
    }
}

/// One HTTP response.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }

    /// Sends a request verbatim and reads its response.
    init?(_ client: RawClient, _ method: String, _ target: String, _ headers: [String: String] = [:]) {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
        self.init(reading: client, isHead: method == "HEAD")
    }

    /// Reads the response to a request sent earlier.
    init?(reading client: RawClient, isHead: Bool = false) {
        guard let head = client.readHeaders() else { return nil }
        let parts = head.components(separatedBy: "\r\n")
        status = Int(parts[0].split(separator: " ")[1]) ?? 0
        var found: [String: String] = [:]
        for line in parts.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            found[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        self.headers = found
        let length = isHead || status == 304 ? 0 : Int(found["content-length"] ?? "0") ?? 0
        guard let body = client.read(length) else { return nil }
        self.body = body
    }

    static func get(_ port: Int, _ target: String, _ headers: [String: String] = [:]) -> Answer? {
        Answer(RawClient(port), "GET", target, headers)
    }
}
