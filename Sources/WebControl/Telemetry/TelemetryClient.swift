internal import CRealtime
internal import Foundation

/// One client of `vestibule.telemetry.v1`: what it has subscribed to, and one slot for each topic.
///
/// A frame goes to the socket at once when nothing waits before it. One that finds its slot taken is put together with
/// the one that waits there; nothing is ever queued.
final class TelemetryClient: SocketClient {
    private struct Request: Decodable {
        let type: String
        let topics: [String]?
        let rate: Double?
        let format: String?
    }

    private struct Hello: Encodable {
        let type = "hello"
        let `protocol` = TelemetryService.protocolName
        let stream: String
        let topics = TelemetryTopic.allCases
        let formats = [TelemetryFormat.json, .binary]
        let fastest = TelemetryService.rates.upperBound
    }

    private struct Subscribed: Encodable {
        let type = "subscribed"
        let stream: String
        let rates: [String: Int]
        let format: TelemetryFormat
    }

    private struct Problem: Encodable {
        let type = "error"
        let text: String
    }

    private static let mostReplies = 16
    let kind = "telemetry"
    /// Half a second of frames at the highest rate; with what the kernel adds, and the slots here, it stays below 64 KiB.
    let sendBuffer: Int32 = 24_576
    private(set) var dropped = 0
    private let service: TelemetryService
    private let wake: () -> Void
    private let send: (WireFrame) -> Bool
    /// The memory of its connection and of the library's, which a frame goes through.
    private var way: (connection: UnsafeRawPointer, wsi: UnsafeRawPointer)?
    private var replies: [String] = []
    /// By the topic's index.
    private var slots = InlineArray<8, TelemetryFrame?>(repeating: nil)
    /// A bit for each topic's index: those that wait, and those that are sent as binary.
    private var waiting: UInt8 = 0
    private var binary: UInt8 = 0
    /// The index whose turn is next, so that a fast topic keeps no other from its turn.
    private var turn: UInt8 = 0

    /// - Parameters:
    ///   - wake: asks the socket to be writeable.
    ///   - send: writes a frame at once; false when the socket has no room for a whole one.
    init(_ service: TelemetryService, wake: @escaping () -> Void, send: @escaping (WireFrame) -> Bool) {
        self.service = service
        self.wake = wake
        self.send = send
        reply(Hello(stream: service.stream))
    }

    /// - Parameter connection: of this client; it holds the client, and not the other way round.
    func take(_ connection: SocketConnection) { way = connection.memory }

    func close() { service.unsubscribe(self, TelemetryTopic.allCases) }

    // MARK: Out

    /// Has its way into the socket fetched, which by then nobody has touched for a whole period.
    func prefetch() {
        guard let way else { return }
        rt_prefetch(way.connection, 5)
        rt_prefetch(way.wsi, 12)
    }

    /// Sends a frame, or takes it for its slot.
    func offer(_ frame: TelemetryFrame) {
        let bit: UInt8 = 1 << UInt8(frame.index)
        if !hasMore, send(frame.wire(isBinary: binary & bit != 0)) { return }
        if waiting & bit != 0, let earlier = slots[frame.index] {
            dropped += 1
            slots[frame.index] = frame.following(earlier)
            return
        }
        slots[frame.index] = frame
        let isFirst = waiting == 0
        waiting |= bit
        if isFirst { wake() }
    }

    var hasMore: Bool { !replies.isEmpty || waiting != 0 }

    func nextFrame() -> WireFrame? {
        if !replies.isEmpty { return WireFrame(text: replies.removeFirst()) }
        guard waiting != 0 else { return nil }
        let rest = waiting & (UInt8.max << turn)
        let index = UInt8((rest != 0 ? rest : waiting).trailingZeroBitCount)
        turn = (index + 1) % 8
        waiting &= ~(1 << index)
        let frame = slots[Int(index)]
        slots[Int(index)] = nil
        return frame?.wire(isBinary: binary >> index & 1 != 0)
    }

    private func reply(_ value: some Encodable) {
        if replies.count == Self.mostReplies { replies.removeFirst() }
        replies.append(TelemetryJSON.message(value))
        wake()
    }

    func tell(_ text: String) { reply(Problem(text: text)) }

    // MARK: In

    func receive(_ bytes: [UInt8], isText: Bool) {
        guard isText, let request = try? JSONDecoder().decode(Request.self, from: Data(bytes)) else {
            return tell("not {\"type\":\"subscribe\",\"topics\":[…],\"rate\":HZ,\"format\":\"json\"} in JSON")
        }
        var topics: [TelemetryTopic] = []
        for name in request.topics ?? TelemetryTopic.allCases.map(\.rawValue) {
            guard let topic = TelemetryTopic(rawValue: name) else {
                let all = TelemetryTopic.allCases.map(\.rawValue).joined(separator: ", ")
                return tell("no topic \(name.prefix(64)); there are \(all)")
            }
            if !topics.contains(topic) { topics.append(topic) }
        }
        switch request.type {
        case "subscribe": subscribe(topics, request)
        case "unsubscribe":
            service.unsubscribe(self, topics)
            for topic in topics {
                slots[topic.index] = nil
                waiting &= ~(1 << UInt8(topic.index))
            }
        default: tell("no type \(request.type.prefix(64)); there are subscribe and unsubscribe")
        }
    }

    private func subscribe(_ topics: [TelemetryTopic], _ request: Request) {
        guard let format = TelemetryFormat(rawValue: request.format ?? "json") else {
            return tell("no format \((request.format ?? "").prefix(64)); there are json and binary")
        }
        let rate = request.rate ?? 30
        guard rate.isFinite, rate >= 1, rate <= Double(TelemetryService.rates.upperBound) else {
            return tell("rate is \(TelemetryService.rates.lowerBound) to \(TelemetryService.rates.upperBound) frames a second")
        }
        var rates: [String: Int] = [:]
        for topic in topics {
            let bit: UInt8 = 1 << UInt8(topic.index)
            binary = format == .binary ? binary | bit : binary & ~bit
            rates[topic.rawValue] = min(Int(rate.rounded()), topic.fastest)
        }
        reply(Subscribed(stream: service.stream, rates: rates, format: format))
        for topic in topics { service.subscribe(self, topic, rate: rates[topic.rawValue] ?? 1) }
    }
}
