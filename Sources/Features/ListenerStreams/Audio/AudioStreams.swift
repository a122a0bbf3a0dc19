internal import CRealtime
internal import Streaming
package import Threads
package import Web

/// The sound of every listener that is offered at `/audio/N`.
public final class AudioStreams {
    /// Milliseconds between two checks for messages to clients that are due.
    private static let interval = 20

    private var streams: [Int: AudioStream] = [:]
    private let loop: EventLoop
    private let encoders: Encoders
    private var clock = StreamClock()
    /// Finds the listener of a client that asks for its own: that of its token, or a new one. Returns its number and its token, or throws
    /// the reason why there is none.
    public var join: (_ token: String?) throws -> (listener: Int, token: String) = { _ in throw NoListener() }

    /// The reason why a client with this token cannot join now; nil when it can, after the clients that wait already.
    public var refusal: (_ token: String?, _ waiting: Int) -> String? = { _, _ in NoListener().description }
    /// Finds the listener whose token this is, from 1; nil when there is none.
    public var owner: (_ token: String) -> Int? = { _ in nil }
    /// Whether a listener has this token.
    public var isOwner: (_ token: String, _ listener: Int) -> Bool = { _, _ in false }
    /// Notes that a connected client has presented the token of its listener, and that it has disconnected.
    public var hold: (_ token: String, _ isOn: Bool) -> Void = { _, _ in }
    /// The number of the listener with a name, from 1; nil for none.
    public var named: (_ name: String) -> Int? = { _ in nil }
    /// Whether a listener is present; by default, all that have a stream are.
    public var isPresent: (_ listener: Int) -> Bool = { _ in true }
    /// Defaults of clients that ask for adaptive streams.
    public var settings = StreamSettings() {
        didSet {
            guard settings != oldValue else { return }
            for client in allClients { client.follow(settings) }
            scene?.follow(settings)
        }
    }

    private struct NoListener: Error, CustomStringConvertible {
        var description: String { "there are no listeners on the network" }
    }

    /// Settings of a listener as JSON, for clients that ask for a stream or for the scene.
    public var describe: (_ listener: Int) -> String? = { _ in nil }

    /// Frames by which the sound of a listener is later than its sample count says: the latency of its rendering.
    public var latency: (_ listener: Int) -> Int = { _ in 0 }

    /// Listeners whose clients receive the settings, from 1.
    public var described: [Int] { streams.values.filter { $0.renderers > 0 || !$0.clients.isEmpty }.map(\.listener) }

    /// Sends the settings of a listener to its clients after a change.
    /// - Parameter changedAt: milliseconds, CLOCK_MONOTONIC.
    public func refresh(listener: Int, changedAt: Double) {
        streams[listener]?.tellSettings()
        scene?.refresh(listener: listener, changedAt: changedAt)
    }

    /// The scene for clients that render their listeners themselves; nil when there are no listeners on the network.
    public var scene: SceneStream? {
        didSet {
            scene?.onClients = { [unowned self] in streams[$0]?.renderers = $1 }
            scene?.settings = { [unowned self] in describe($0) }
        }
    }

    /// Clients that wait for a listener of their own.
    package let joins: JoinQueue

    /// - Throws: ``ThreadError`` when the system allows no thread that encodes.
    package init(on loop: EventLoop) throws(ThreadError) {
        self.loop = loop
        encoders = try Encoders { [handle = loop.handle] in handle.wake() }
        joins = JoinQueue(on: loop)
    }

    private var allClients: some Sequence<AudioClient> { streams.values.lazy.flatMap(\.clients) }

    /// The sound of a listener; nil when there is no such listener.
    package subscript(listener: Int) -> AudioStream? { isPresent(listener) ? streams[listener] : nil }

    /// Offers a listener's sound.
    public func add(_ stream: AudioStream) {
        stream.encode = { [encoders, source = stream.source] in encoders.encode(listener: source.listener, $0, from: source.end) }
        stream.feed = { [encoders, source = stream.source] in encoders.feed(listener: source.listener, $0, from: source.end) }
        stream.describe = { [unowned self, listener = stream.listener] in describe(listener) }
        stream.measure = { [unowned self, listener = stream.listener] in latency(listener) }
        encoders.add(stream.source)
        if streams.isEmpty { tickClients() }
        streams[stream.listener] = stream
    }

    private func tickClients() {
        loop.every(Self.interval) { [unowned self] in
            let now = Self.milliseconds
            for client in allClients { client.tick(now, clock) }
        }
    }

    /// CLOCK_MONOTONIC.
    package static var milliseconds: Double { Double(rt_now()) / 1e6 }

    /// Sends the packets that the encoders have finished; called after a wake of the loop.
    package func settle() {
        scene?.settle()
        let packets = encoders.take()
        guard !packets.isEmpty else { return }
        let now = Self.milliseconds
        for packet in packets {
            guard let stream = streams[packet.listener] else { continue }
            clock.note(end: packet.end, rate: stream.rate, now: now)
            stream.deliver(packet, now: now)
        }
    }

    /// Removes an inlet from a listener's stream.
    package func stop(_ listener: Int, _ inlet: SoundInlet) { streams[listener]?.leave(inlet) }

    /// The state of a listener's streams; nil without clients that measure.
    public func statistics(listener: Int) -> StreamStatistics? { streams[listener]?.clients.lazy.compactMap(\.statistics).last }

    /// Number of a listener's clients.
    public func clients(listener: Int) -> Int { streams[listener]?.clients.count ?? 0 }

    /// Number of a listener as addresses write it, digits without zeros before them; 0 for other texts.
    package static func number(_ text: some StringProtocol) -> Int {
        Int(text).flatMap { String($0) == text ? $0 : nil } ?? 0
    }
}
