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
