internal import CRealtime
internal import Files
internal import Foundation
internal import Web

/// One client of `vestibule.telemetry.v1`: its subscriptions, and one place for each topic.
///
/// A frame goes to the socket at once when nothing waits before it. A frame whose place is occupied is merged with the one
/// that waits there; nothing is ever queued.
package final class TelemetryClient: SocketClient {
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
        let topics: [String]
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
    /// Half a second of frames at the highest rate; with the kernel's overhead and the frames here, a client has less than
    /// 64 KiB waiting.
    let sendBuffer: Int32 = 24_576
    private(set) var dropped = 0
    private let service: TelemetryService
    private let folders: HiddenFolders?
    private let wake: () -> Void
    private let send: (WireFrame) -> Bool
    /// Memory of the connection and of the library's part, which every frame needs.
    private var memory: (connection: UnsafeRawPointer, wsi: UnsafeRawPointer)?
    private var replies: [String] = []
    /// A bit for each topic's index: frames that wait, and frames that are sent as binary.
    private var waiting: UInt16 = 0
    private var binary: UInt16 = 0
    /// Index of the topic that is next, so that a fast topic does not delay the others.
    private var turn: UInt16 = 0
    /// Frames that wait, by the topic's index.
    private var frames = InlineArray<16, TelemetryFrame?>(repeating: nil)

    /// - Parameters:
    ///   - folders: which are hidden from a client that may not control; nil for one that may.
    ///   - wake: requests a call of ``nextFrame()`` when the socket is writeable.
    ///   - send: writes a frame at once; false when the socket has no room for a whole one.
    init(
        _ service: TelemetryService, hiding folders: HiddenFolders?, wake: @escaping () -> Void, send: @escaping (WireFrame) -> Bool
    ) {
        self.service = service
        self.folders = folders
        self.wake = wake
        self.send = send
        reply(Hello(stream: service.stream, topics: service.topics.map(\.name)))
    }

    func open(_ connection: SocketConnection) { memory = connection.memory }

    func close() { service.unsubscribe(self, service.topics.indices) }

    // MARK: Out

    /// Prefetches the memory that sending needs, which was last used a whole period ago.
    func prefetch() {
        guard let memory else { return }
        rt_prefetch(memory.connection, 5)
        rt_prefetch(memory.wsi, 12)
    }

    /// Sends a frame, or puts it into its place.
    func offer(_ frame: TelemetryFrame) {
        let bit: UInt16 = 1 << UInt16(frame.index)
        if !hasMore, send(frame.wire(isBinary: binary & bit != 0, hiding: folders)) { return }
        if waiting & bit != 0, let earlier = frames[frame.index] {
            dropped += 1
            frames[frame.index] = frame.following(earlier)
            return
        }
        frames[frame.index] = frame
        let isFirst = waiting == 0
        waiting |= bit
        if isFirst { wake() }
    }

    var hasMore: Bool { !replies.isEmpty || waiting != 0 }

    func nextFrame() -> WireFrame? {
        if !replies.isEmpty { return WireFrame(text: replies.removeFirst()) }
        guard waiting != 0 else { return nil }
        let rest = waiting & (UInt16.max << turn)
        let index = UInt16((rest != 0 ? rest : waiting).trailingZeroBitCount)
        turn = (index + 1) % 16
        waiting &= ~(1 << index)
        let frame = frames[Int(index)]
        frames[Int(index)] = nil
        return frame?.wire(isBinary: binary >> index & 1 != 0, hiding: folders)
    }

    private func reply(_ value: some Encodable) {
        if replies.count == Self.mostReplies { replies.removeFirst() }
        replies.append(TelemetryJSON.message(value))
        wake()
    }

    func notify(_ text: String) { reply(Problem(text: text)) }

    // MARK: In

    func receive(_ bytes: [UInt8], isText: Bool) {
        guard isText, let request = try? JSONDecoder().decode(Request.self, from: Data(bytes)) else {
            return notify(
                "the message is not valid; expected {\"type\":\"subscribe\",\"topics\":[…],\"rate\":HZ,\"format\":\"json\"}")
        }
        let names = service.topics.map(\.name)
        var topics: [Int] = []
        for name in request.topics ?? names {
            guard let index = names.firstIndex(of: name) else {
                return notify("there is no topic \(name.prefix(64)); the topics are \(names.joined(separator: ", "))")
            }
            if !topics.contains(index) { topics.append(index) }
        }
        switch request.type {
        case "subscribe": subscribe(topics, request)
        case "unsubscribe":
            service.unsubscribe(self, topics)
            for index in topics {
                frames[index] = nil
                waiting &= ~(1 << UInt16(index))
            }
        default: notify("there is no type \(request.type.prefix(64)); the types are subscribe and unsubscribe")
        }
    }

    private func subscribe(_ topics: [Int], _ request: Request) {
        guard let format = TelemetryFormat(rawValue: request.format ?? "json") else {
            return notify("there is no format \((request.format ?? "").prefix(64)); the formats are json and binary")
        }
        let rate = request.rate ?? 30
        guard rate >= 1, rate <= Double(TelemetryService.rates.upperBound), let whole = Int(checked: rate.rounded()) else {
            return notify(
                "the rate is out of range; it is \(TelemetryService.rates.lowerBound) to "
                    + "\(TelemetryService.rates.upperBound) frames per second"
            )
        }
        var rates: [Int: Int] = [:]
        for index in topics {
            let bit: UInt16 = 1 << UInt16(index)
            binary = format == .binary ? binary | bit : binary & ~bit
            rates[index] = min(whole, service.topics[index].fastest)
        }
        let named = Dictionary(uniqueKeysWithValues: rates.map { (service.topics[$0].name, $1) })
        reply(Subscribed(stream: service.stream, rates: named, format: format))
        for index in topics { service.subscribe(self, index, rate: rates[index] ?? 1) }
    }
}
