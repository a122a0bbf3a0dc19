internal import Streaming
internal import Synchronization
internal import Threads

/// A thread of ordinary priority that encodes the sound of its listeners, and sleeps while they have no clients.
// SAFETY: `sources` is used on the thread alone; everything else is constant, atomic or behind a lock.
final class EncoderThread: @unchecked Sendable {
    enum Command: Sendable {
        case add(EncodedSource)
        case encode(listener: Int, Set<StreamEncoding>, from: Int64)
        case feed(listener: Int, [SoundInlet], from: Int64)
    }

    private let pass: @Sendable ([EncodedPacket]) -> Void
    private let commands = Mutex<[Command]>([])
    private var sources: [Int: EncodedSource] = [:]
    private var work: EncodingWork!

    /// - Parameter pass: called on the thread with packets in the order of their times.
    init(number: Int, pass: @escaping @Sendable ([EncodedPacket]) -> Void) {
        self.pass = pass
        work = EncodingWork("encoder \(number)") { [unowned self] in turn() }
    }

    func start() throws(ThreadError) { try work.start() }

    /// Ends the thread and waits for it.
    func stop() { work.stop() }

    func send(_ command: Command) {
        commands.withLock { $0.append(command) }
        work.wake()
    }

    private func turn() -> Bool {
        for source in sources.values { source.look() }
        follow()
        let active = sources.values.filter { !$0.isIdle }
        var packets: [EncodedPacket] = []
        for source in active { source.pump { packets.append($0) } }
        if !packets.isEmpty { pass(packets) }
        return !active.isEmpty
    }

    private func follow() {
        let received = commands.withLock { commands in
            let all = commands
            commands = []
            return all
        }
        for command in received {
            switch command {
            case .add(let source): sources[source.listener] = source
            case .encode(let listener, let encodings, let begin): sources[listener]?.encode(encodings, from: begin)
            case .feed(let listener, let inlets, let begin): sources[listener]?.feed(inlets, from: begin)
            }
        }
    }
}
