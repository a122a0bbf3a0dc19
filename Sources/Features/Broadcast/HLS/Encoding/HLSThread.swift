internal import ListenerStreams
internal import Synchronization
internal import Threads

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
