internal import Glibc
internal import Streaming
internal import Synchronization

/// The threads that encode streams, and encoded packets that the control thread has not sent yet.
final class Encoders: Sendable {
    /// Packets that may wait for the control thread; beyond them the oldest are left out.
    private static let most = 16_384

    private let threads: [EncoderThread]
    private let encoded: Packets

    private final class Packets: Sendable {
        let waiting = Mutex<[EncodedPacket]>([])
    }

    /// - Parameter wake: called on an encoder thread after packets were added.
    init(wake: @escaping @Sendable () -> Void) {
        let encoded = Packets()
        self.encoded = encoded
        threads = (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { number in
            EncoderThread(number: number + 1) { packets in
                encoded.waiting.withLock { waiting in
                    if waiting.count + packets.count > Self.most { waiting.removeFirst(min(waiting.count, packets.count)) }
                    waiting += packets
                }
                wake()
            }
        }
        for thread in threads { thread.start() }
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
