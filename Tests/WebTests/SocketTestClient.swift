import Foundation
import Hub
import OSCControl
import Parameters

/// A minimal WebSocket client: sends masked frames, receives whole frames.
final class SocketTestClient {
    struct Frame: Equatable {
        let opcode: UInt8
        let payload: [UInt8]
        var text: String { String(decoding: payload, as: UTF8.self) }

        /// OSC messages in the frame.
        var messages: [Message] {
            payload.withUnsafeBytes { (try? OSCPacket.parse($0, receiveTime: 0))?.map(\.message) ?? [] }
        }
    }

    let raw: RawClient
    /// The response to the upgrade; 101 when it was accepted.
    let status: Int

    init(_ port: Int, _ path: String = "/", headers: [String: String] = [:], receiveBuffer: Int32? = nil) {
        raw = RawClient(port, receiveBuffer: receiveBuffer)
        let lines = (["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }).map { "\($0.key): \($0.value)\r\n" }.joined()
        raw.send(
            "GET \(path) HTTP/1.1\r\n\(lines)Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        let words = raw.readHeaders()?.split(separator: " ") ?? []
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    static let (text, binary, close, ping, pong) = (UInt8(1), UInt8(2), UInt8(8), UInt8(9), UInt8(10))

    func send(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) { raw.send(Self.frame(opcode, payload, isLast: isLast)) }

    static func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        header(opcode, payload.count, isLast: isLast) + payload.enumerated().map { $1 ^ [1, 2, 3, 4][$0 % 4] }
    }

    /// The mask is 1 2 3 4.
    static func header(_ opcode: UInt8, _ count: Int, isLast: Bool = true) -> [UInt8] {
        let first = opcode | (isLast ? 0x80 : 0)
        let size: [UInt8] =
            count < 126
            ? [0x80 | UInt8(count)]
            : count < 65_536
                ? [0xFE, UInt8(count >> 8), UInt8(count & 255)]
                : [0xFF] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        return [first] + size + [1, 2, 3, 4]
    }

    func command(_ command: String, _ data: String) {
        send(Self.text, Array("{\"COMMAND\":\"\(command)\",\"DATA\":\"\(data)\"}".utf8))
    }

    func set(_ address: String, _ arguments: Argument...) { send(Self.binary, OSCPacket.bytes(address, arguments)) }

    /// Whether pings are answered, as RFC 6455 requires.
    var answersPings = true

    /// The next frame other than a ping; nil after the time limit, also when pings come all the time.
    /// - Parameter body: called every 20 ms while there is none.
    func receive(meanwhile body: () -> Void = {}) -> Frame? {
        let end = ContinuousClock.now + .seconds(raw.limit)
        while ContinuousClock.now < end {
            guard raw.hasBytes(within: min(raw.limit, 0.02)) else {
                body()
                continue
            }
            guard let frame = receiveAny() else { return nil }
            guard frame.opcode == Self.ping else { return frame }
            if answersPings { send(Self.pong, frame.payload) }
        }
        return nil
    }

    private func receiveAny() -> Frame? {
        guard let head = raw.read(2) else { return nil }
        var count = Int(head[1] & 0x7F)
        if count >= 126 {
            guard let long = raw.read(count == 126 ? 2 : 8) else { return nil }
            count = long.reduce(0) { $0 << 8 | Int($1) }
        }
        return raw.read(count).map { Frame(opcode: head[0] & 0x0F, payload: $0) }
    }

    /// The next frame; nil after a number of seconds.
    func receive(within seconds: Double) -> Frame? {
        raw.wait(seconds)
        defer { raw.wait(RawClient.patience) }
        return receive()
    }

    /// Waits until the server has handled all earlier messages, by a ping and its pong.
    func isServed() -> Bool {
        send(Self.ping, [42])
        while let frame = receive() { if frame.opcode == Self.pong { return true } }
        return false
    }
}
