/// The sound of every listener that is offered at `/audio/N`.
public final class AudioStreams {
    /// Milliseconds between two looks for new sound.
    private static let interval = 10

    private let loop: EventLoop
    private var streams: [Int: AudioStream] = [:]
    /// Finds the listener of a client that wants one of its own: that of its token, or a new one. Returns its number and its token, or
    /// throws why there is none.
    public var join: (_ token: String?) throws -> (listener: Int, token: String) = { _ in throw NoListener() }

    /// The reason why a client with this token cannot join now; nil when it can.
    public var refusal: (_ token: String?) -> String? = { _ in NoListener().description }
    /// Whether there is a listener; by default, all that have a stream are there.
    public var isPresent: (_ listener: Int) -> Bool = { _ in true }

    private struct NoListener: Error, CustomStringConvertible {
        var description: String { "there are no listeners on the network" }
    }

    init(on loop: EventLoop) { self.loop = loop }

    /// The sound of a listener; nil when there is no such listener.
    subscript(listener: Int) -> AudioStream? { isPresent(listener) ? streams[listener] : nil }

    /// Offers a listener's sound.
    public func add(_ stream: AudioStream) {
        if streams.isEmpty {
            loop.every(Self.interval) { [unowned self] in for stream in streams.values { stream.pump() } }
        }
        streams[stream.listener] = stream
    }

    /// Path at which a client gets a listener of its own.
    static let joinPath = "/audio/join"

    /// N of `/audio/N`; 0, which no listener has, for other paths below `/audio`; nil for all other paths.
    static func listener(_ path: String) -> Int? {
        guard path == "/audio" || path.hasPrefix("/audio/") else { return nil }
        return Int(path.dropFirst("/audio/".count)) ?? 0
    }
}
