internal import Glibc
internal import Streaming
internal import Synchronization
internal import Threads

/// The threads that encode streams, one for each core where the system allows as many, and encoded packets that the control thread has not
/// sent yet.
package final class Encoders: Sendable {
    /// Packets that may wait for the control thread; beyond them the oldest are left out.
    private static let most = 16_384

    private let threads: [EncoderThread]
    private let encoded: Packets

    private final class Packets: Sendable {
        let waiting = Mutex<[EncodedPacket]>([])
    }

    /// - Parameter wake: called on an encoder thread after packets were added.
    /// - Throws: ``ThreadError`` without a single thread.
    init(wake: @escaping @Sendable () -> Void) throws(ThreadError) {
        let encoded = Packets()
        self.encoded = encoded
        var threads: [EncoderThread] = []
        for number in 1...max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            let thread = EncoderThread(number: number) { packets in
                encoded.waiting.withLock { waiting in
                    if waiting.count + packets.count > Self.most { waiting.removeFirst(min(waiting.count, packets.count)) }
                    waiting += packets
                }
                wake()
            }
            do throws(ThreadError) { try thread.start() } catch {
                guard !threads.isEmpty else { throw error }
                break
            }
            threads.append(thread)
        }
        self.threads = threads
    }

    deinit { for thread in threads { thread.stop() } }

    func add(_ source: EncodedSource) { thread(source.listener).send(.add(source)) }

    /// - Parameter begin: sample count before which the first encoding of a listener has no sound.
    func encode(listener: Int, _ encodings: Set<StreamEncoding>, from begin: Int64) {
        thread(listener).send(.encode(listener: listener, encodings, from: begin))
    }

    /// - Parameter begin: as for encodings.
    func feed(listener: Int, _ inlets: [SoundInlet], from begin: Int64) {
        thread(listener).send(.feed(listener: listener, inlets, from: begin))
    }

    private func thread(_ listener: Int) -> EncoderThread { threads[listener % threads.count] }

    /// Removes and returns everything that was encoded.
    func take() -> [EncodedPacket] {
        encoded.waiting.withLock { waiting in
            let all = waiting
            waiting = []
            return all
        }
    }
}

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
