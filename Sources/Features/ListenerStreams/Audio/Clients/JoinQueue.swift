internal import CRealtime
internal import Web

/// Clients that wait for listeners of their own. A few join in each turn of the loop, so that hundreds at once do not delay others.
package final class JoinQueue {
    /// Clients that join in one turn: the smallest number however long they take, and the largest.
    private static let (least, most) = (4, 16)
    /// Nanoseconds after which the remaining clients wait for the next turn.
    private static let longest: UInt64 = 2_000_000

    private let loop: EventLoop
    private var timer: LoopTimer?
    private var waiting: [JoiningClient] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// Number of clients that have been promised a listener.
    var count: Int { waiting.count { !$0.isClosed } }

    /// Lets a client join in one of the next turns, in order.
    func add(_ client: JoiningClient) {
        waiting.append(client)
        if timer == nil { timer = loop.makeTimer { [unowned self] in serve() } }
        // Without a descriptor for the timer, everybody joins at once.
        guard let timer else {
            while !waiting.isEmpty { waiting.removeFirst().join() }
            return
        }
        if waiting.count == 1 { timer.arm(after: 0) }
    }

    /// - Returns: microseconds until the next clients join; nil when none is left.
    private func serve() -> Int? {
        let end = rt_now() + Self.longest
        var joined = 0
        while !waiting.isEmpty, joined < Self.least || joined < Self.most && rt_now() < end {
            waiting.removeFirst().join()
            joined += 1
        }
        return waiting.isEmpty ? nil : 0
    }
}

/// A client that has asked for a listener of its own, and gets it when its turn has come.
final class JoiningClient: SocketClient {
    let kind = "audio"
    /// The client of the listener, once it has one.
    private var audio: AudioClient?
    private let make: () -> AudioClient?
    private weak var connection: SocketConnection?
    /// Messages that arrived before the client had its listener.
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
