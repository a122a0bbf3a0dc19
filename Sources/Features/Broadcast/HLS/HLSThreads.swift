internal import ListenerStreams
internal import Synchronization
internal import Threads

/// The threads on which HLS streams are encoded, one for each core at most; each encoder stays on its thread. Used on the control thread.
final class HLSThreads {
    private let most: Int
    private let wake: @Sendable () -> Void
    private var threads: [(thread: HLSThread, encoders: [HLSEncoder])] = []

    /// - Parameters:
    ///   - most: number of threads.
    ///   - wake: called on one of them when an encoder has made something.
    init(most: Int, wake: @escaping @Sendable () -> Void) {
        self.most = max(1, most)
        self.wake = wake
    }

    /// Runs an encoder on the thread with the fewest of them.
    /// - Throws: ``ThreadError`` when the system allows no thread.
    func add(_ encoder: HLSEncoder) throws(ThreadError) {
        let fewest = threads.indices.min { threads[$0].encoders.count < threads[$1].encoders.count }
        var place = fewest ?? 0
        if fewest.map({ !threads[$0].encoders.isEmpty && threads.count < most }) ?? true {
            do throws(ThreadError) {
                threads.append((try HLSThread(wake: wake), []))
                place = threads.count - 1
            } catch { if threads.isEmpty { throw error } }
        }
        threads[place].encoders.append(encoder)
        threads[place].thread.run(threads[place].encoders)
    }

    func remove(_ encoder: HLSEncoder) {
        for i in threads.indices where threads[i].encoders.contains(where: { $0 === encoder }) {
            threads[i].encoders.removeAll { $0 === encoder }
            threads[i].thread.run(threads[i].encoders)
        }
    }
}

/// A thread that encodes the sound of HLS streams; it sleeps while there are none.
final class HLSThread: Sendable {
    /// Milliseconds between two turns.
    private static let interval = 20

    private let encoders: Encoders
    private let work: EncodingWork

    private final class Encoders: Sendable {
        let running = Mutex<[HLSEncoder]>([])
    }

    /// - Parameter wake: called on this thread when an encoder has made something.
    init(wake: @escaping @Sendable () -> Void) throws(ThreadError) {
        let encoders = Encoders()
        self.encoders = encoders
        work = EncodingWork("HLS encoder", interval: 1000 * Self.interval) {
            let running = encoders.running.withLock { $0 }
            var hasMade = false
            for encoder in running where encoder.turn() { hasMade = true }
            if hasMade { wake() }
            return !running.isEmpty
        }
        try work.start()
    }

    deinit { work.stop() }

    /// Sets the encoders that run.
    func run(_ running: [HLSEncoder]) {
        encoders.running.withLock { $0 = running }
        work.wake()
    }
}
