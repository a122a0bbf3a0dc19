internal import Web

/// A client that has asked for a listener of its own, and gets it when its turn has come.
final class JoiningClient: SocketClient {
    let kind = "audio"
    /// The client of the listener, once it has one.
    private var audio: AudioClient?
    private let make: () -> AudioClient?
    private weak var connection: SocketConnection?
    /// Messages that came before.
    private var early: [(bytes: [UInt8], isText: Bool)] = []
    private static let mostEarly = 16
    private(set) var isClosed = false

    /// - Parameter make: joins; nil when there is no listener for it after all.
    init(_ make: @escaping () -> AudioClient?) { self.make = make }

    func open(_ connection: SocketConnection) { self.connection = connection }

    /// Joins, unless the client has gone.
    func join() {
        guard !isClosed else { return }
        guard let audio = make() else {
            connection?.end(.full)
            return
        }
        self.audio = audio
        if let connection { audio.open(connection) }
        for message in early { audio.receive(message.bytes, isText: message.isText) }
        early = []
    }

    func close() {
        isClosed = true
        audio?.close()
    }

    var dropped: Int { audio?.dropped ?? 0 }
    var hasMore: Bool { audio?.hasMore ?? false }

    func nextFrame() -> WireFrame? { audio?.nextFrame() }

    func receive(_ bytes: [UInt8], isText: Bool) {
        if let audio { return audio.receive(bytes, isText: isText) }
        if early.count < Self.mostEarly { early.append((bytes, isText)) }
    }

    func notify(_ text: String) { audio?.notify(text) }
}
