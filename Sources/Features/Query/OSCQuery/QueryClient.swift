internal import CRealtime
internal import Files
internal import Foundation
internal import Hub
internal import ListenerStreams
internal import OSCControl
internal import Parameters
internal import Trust
internal import Web

/// One client of the OSCQuery WebSocket: commands as JSON, values as OSC, in both directions.
final class QueryClient: SocketClient {
    /// Bytes of values per frame.
    private static let mostBytes = 8192
    /// Replies that may wait; older ones are dropped.
    private static let mostReplies = 32

    private struct Command: Decodable {
        let COMMAND: String
        let DATA: String?
    }

    private struct Answer: Encodable {
        let COMMAND: String
        let DATA: String
    }

    private struct Renaming: Encodable {
        struct Paths: Encodable {
            let OLD: String
            let NEW: String
        }

        let COMMAND = "PATH_RENAMED"
        let DATA: Paths
    }

    let kind = "query"
    /// Changed values are marked rather than queued, so that none is ever left out.
    let dropped = 0
    private let hub: Hub
    private let role: AccessRole
    /// Values for a client that may not control; nil for one that may.
    private let values: VisitorValues?
    /// Address of the client, for the log.
    private let address: NetworkAddress?
    private let subscriber: Subscriber
    private weak var streams: AudioStreams?
    /// The client's own listener, once it has presented its token.
    private var own: OwnListener?
    private let hold: ((_ message: [UInt8], _ due: UInt64, _ client: NetworkAddress?) -> Void)?
    private let wake: () -> Void
    private var replies: [String] = []
    private var changes: [PathChange] = []
    /// Changes of the namespace that may wait; a client with more receives the order to read everything again.
    private static let mostChanges = 256
    /// Packets about clocks; sent before everything else.
    private var packets: [[UInt8]] = []
    private var clock = ClockConversation()
    /// Nanoseconds; a bundle's time that is further in the past does not count as a sending time.
    private static let oldest: UInt64 = 1_000_000_000
    /// Nanoseconds by which clocks may differ: a time that is no further ahead counts as now.
    private static let soon: UInt64 = 5_000_000

    /// - Parameters:
    ///   - role: permissions of the client.
    ///   - values: for clients that may not control.
    ///   - address: of the client, for the log.
    ///   - hold: keeps a message until its time, CLOCK_MONOTONIC nanoseconds; without it all messages are applied at once.
    ///   - streams: determine which listener is the client's own.
    ///   - wake: requests a call of ``nextFrame()`` when the socket is writeable.
    init(
        hub: Hub, role: AccessRole, values: VisitorValues, address: NetworkAddress? = nil,
        hold: ((_ message: [UInt8], _ due: UInt64, _ client: NetworkAddress?) -> Void)? = nil, streams: AudioStreams? = nil,
        wake: @escaping () -> Void
    ) {
        self.hub = hub
        self.streams = streams
        self.role = role
        self.values = role == .control ? nil : values
        self.address = address
        self.hold = hold
        self.wake = wake
        subscriber = hub.subscribe(wake: wake)
        subscriber.address = address
        subscriber.onReply = { [weak self] in self?.reply($0.text ?? "") }
    }

    func close() {
        release()
        hub.unsubscribe(subscriber)
    }

    /// Notifies the client of a change of the namespace.
    func announce(_ change: PathChange) {
        if changes.last?.covers(change) == true { return }
        if case .changed = change, changes.contains(change) { return }
        if changes.count == Self.mostChanges { changes = [.changed("/")] } else { changes.append(change) }
        wake()
    }

    // MARK: Out

    var hasMore: Bool { !packets.isEmpty || !replies.isEmpty || !changes.isEmpty || subscriber.hasPending }

    func nextFrame() -> WireFrame? {
        if !packets.isEmpty { return WireFrame(binary: packets.removeFirst()) }
        if !changes.isEmpty { return frame(changes.removeFirst()) }
        if !replies.isEmpty { return text("ERROR", replies.removeFirst()) }
        var elements: [[UInt8]] = []
        var size = 16
        subscriber.drainPending { index in
            let node = hub.tree.nodes[index]
            let bytes = OSCPacket.bytes(node.address, node.spec.arguments(values?.value(index) ?? hub.value(index)))
            size += 4 + bytes.count
            guard elements.isEmpty || size <= Self.mostBytes else { return false }
            elements.append(bytes)
            return true
        }
        guard let first = elements.first else { return nil }
        return WireFrame(binary: elements.count == 1 ? first : OSCPacket.bundle(elements))
    }

    private func frame(_ change: PathChange) -> WireFrame {
        switch change {
        case .added(let path): text("PATH_ADDED", path)
        case .removed(let path): text("PATH_REMOVED", path)
        case .changed(let path): text("PATH_CHANGED", path)
        case .renamed(let old, let new): json(Renaming(DATA: .init(OLD: old, NEW: new)))
        }
    }

    private func text(_ command: String, _ data: String) -> WireFrame { json(Answer(COMMAND: command, DATA: data)) }

    private func json(_ value: some Encodable) -> WireFrame {
        return WireFrame(text: String(decoding: (try? JSONEncoder.wire.encode(value)) ?? Data(), as: UTF8.self))
    }

    func notify(_ text: String) { reply(text) }

    private func reply(_ text: String) {
        if replies.count == Self.mostReplies { replies.removeFirst() }
        replies.append(LogText.escaped(values?.folders.text(text) ?? text))
        wake()
    }

    // MARK: In

    func receive(_ bytes: [UInt8], isText: Bool) {
        if isText { command(bytes) } else { packet(bytes) }
    }

    /// Handles OSC. A bundle whose time is in the future by the client's clock is held until then; without a known clock
    /// all bundles are applied at once.
    private func packet(_ bytes: [UInt8]) {
        let time = rt_now()
        do {
            let messages = try bytes.withUnsafeBytes { try OSCPacket.parse($0, receiveTime: time) }
            for (timetag, var message) in messages {
                if clock.take(message.address, message.arguments, arrived: time, send: { answer($0) }) { continue }
                message.senderTime = sent(timetag, time)
                guard maySet(message.address) else {
                    reply("\(message.address.prefix(256)) was not set: this login may view and listen, but not control")
                    continue
                }
                if let hold, let due = due(timetag, time), hub.reaches(message.address) {
                    if let reason = OSCReceiver.refusal(ofTime: due, now: time) {
                        refuseTime(reason)
                        continue
                    }
                    hold(OSCPacket.bytes(message.address, message.arguments), due, address)
                    continue
                }
                if let text = hub.handle(message, from: subscriber).text { reply(text) }
            }
        } catch {
            refuse("WebSocket: \(error)")
        }
    }

    /// Whether the client may set what is at an address.
    private func maySet(_ address: String) -> Bool {
        if role == .control { return true }
        guard let own, own.covers(address) else { return false }
        return streams?.isOwner(own.token, own.number) == true
    }

    /// Time at which a message is to be applied, CLOCK_MONOTONIC nanoseconds; nil for now.
    private func due(_ timetag: UInt64, _ time: UInt64) -> UInt64? {
        guard timetag != OSCPacket.immediately, let clock = clock.exchange.clock else { return nil }
        let due = clock.local(timetag: timetag)
        return due > time + Self.soon ? due : nil
    }

    /// Time at which a message was sent, by the client's clock; 0 when it is not known.
    private func sent(_ timetag: UInt64, _ time: UInt64) -> UInt64 {
        guard timetag != OSCPacket.immediately, let clock = clock.exchange.clock else { return 0 }
        let sent = min(clock.local(timetag: timetag), time)
        return time - sent < Self.oldest ? sent : 0
    }

    private func answer(_ packet: [UInt8]) {
        packets.append(packet)
        if packets.count > Self.mostReplies { packets.removeFirst() }
        wake()
    }

    private func command(_ bytes: [UInt8]) {
        guard let command = try? JSONDecoder().decode(Command.self, from: Data(bytes)) else {
            refuse("WebSocket: a text frame is not valid; expected {\"COMMAND\":TEXT,\"DATA\":TEXT} in JSON")
            return
        }
        if command.COMMAND == "OWN" { return claim(command.DATA ?? "") }
        guard let path = command.DATA, path.hasPrefix("/") else {
            return refuse("WebSocket: \(command.COMMAND.prefix(64)) needs the address to listen to as DATA, such as \"/listener/1/gain\"")
        }
        switch command.COMMAND {
        case "LISTEN": if !hub.listen(subscriber, to: path) { reply(hub.suggest(path)) }
        case "IGNORE": if !hub.ignore(subscriber, at: path) { reply(hub.suggest(path)) }
        default: reply("there is no command \(command.COMMAND.prefix(64)); the commands are LISTEN, IGNORE and OWN")
        }
    }

    /// Takes the token of a listener, which shows that it is the client's own, and keeps it while the client is connected.
    private func claim(_ token: String) {
        release()
        own = streams?.owner(token).map { OwnListener(number: $0, token: token) }
        guard own != nil else { return reply("no listener has this token; /audio/join gives a listener and its token") }
        streams?.hold(token, true)
    }

    /// Gives up the client's own listener.
    private func release() {
        if let own { streams?.hold(own.token, false) }
        own = nil
    }

    private func refuseTime(_ reason: String) {
        let text = "WebSocket: timed messages were refused: \(reason)"
        hub.complain(text, from: address)
        reply(text)
    }

    private func refuse(_ text: String) {
        hub.countMalformed(text, from: address)
        reply(text)
    }
}

/// The listener that a client has proved to own. A login that may view may turn its head, and set parameters that affect no other listener.
struct OwnListener {
    /// From 1.
    let number: Int
    let token: String
    private let addresses: Set<String>

    init(number: Int, token: String) {
        (self.number, self.token) = (number, token)
        let own: [ListenerParameter] = [.ypr, .quaternion, .recenter, .method, .gain, .mute]
        addresses = Set(own.map { $0.address(number - 1) } + ListenerClient.allCases.map { $0.address(number - 1) })
    }

    /// Whether an address is one that the client may set; a pattern is none.
    func covers(_ address: String) -> Bool { addresses.contains(address) }
}
