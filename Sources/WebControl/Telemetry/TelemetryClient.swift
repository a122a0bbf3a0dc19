internal import Foundation

/// One client of `vestibule.telemetry.v1`: what it has subscribed to, and one slot for each topic.
///
/// A frame that finds its slot taken is put together with the one that waits there; nothing is ever queued.
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
    private(set) var dropped = 0
    private let service: TelemetryService
    private let wake: () -> Void
    private var replies: [String] = []
    private var slots: [TelemetryTopic: TelemetryFrame] = [:]
    private var order: [TelemetryTopic] = []
    private var formats: [TelemetryTopic: TelemetryFormat] = [:]

    /// - Parameter wake: asks the socket to be writeable.
    init(_ service: TelemetryService, wake: @escaping () -> Void) {
        self.service = service
        self.wake = wake
        reply(Hello(stream: service.stream))
    }

    func close() { service.unsubscribe(self, TelemetryTopic.allCases) }

    // MARK: Out

    /// Takes a frame for its slot.
    func offer(_ frame: TelemetryFrame) {
        if let waiting = slots[frame.topic] {
            dropped += 1
            slots[frame.topic] = frame.following(waiting)
            return
        }
        slots[frame.topic] = frame
        order.append(frame.topic)
        if order.count == 1 { wake() }
    }

    var hasMore: Bool { !replies.isEmpty || !order.isEmpty }

    func nextFrame() -> WireFrame? {
        if !replies.isEmpty { return WireFrame(text: replies.removeFirst()) }
        guard !order.isEmpty else { return nil }
        let topic = order.removeFirst()
        return slots.removeValue(forKey: topic)?.wire(formats[topic] ?? .json)
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
            for topic in topics { slots[topic] = nil }
            order.removeAll { topics.contains($0) }
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
            formats[topic] = format
            rates[topic.rawValue] = min(Int(rate.rounded()), topic.fastest)
        }
        reply(Subscribed(stream: service.stream, rates: rates, format: format))
        for topic in topics { service.subscribe(self, topic, rate: rates[topic.rawValue] ?? 1) }
    }
}
