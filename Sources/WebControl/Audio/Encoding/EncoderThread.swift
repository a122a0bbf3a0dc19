internal import CRealtime
internal import Dispatch
internal import Glibc
internal import Streaming
internal import Synchronization

/// A thread of ordinary priority that encodes the sound of its listeners, and sleeps while nobody listens.
// SAFETY: `sources` is used on the thread alone; everything else is constant, atomic or behind a lock.
final class EncoderThread: @unchecked Sendable {
    /// Microseconds between two looks for new sound.
    private static let interval = 2500

    enum Order: Sendable {
        case add(EncodedSource)
        case encode(listener: Int, Set<StreamEncoding>, from: Int64)
    }

    private let number: Int
    private let pass: @Sendable ([EncodedPacket]) -> Void
    private let orders = Mutex<[Order]>([])
    private let awake = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)
    private var sources: [Int: EncodedSource] = [:]
    private var thread: pthread_t?

    /// - Parameter pass: called on the thread with packets in the order of their times.
    init(number: Int, pass: @escaping @Sendable ([EncodedPacket]) -> Void) {
        self.number = number
        self.pass = pass
    }

    func start() {
        var made = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &made, nil,
            { context in
                let encoder = Unmanaged<EncoderThread>.fromOpaque(context!).takeRetainedValue()
                realtime_name_thread("encoder \(encoder.number)")
                encoder.run()
                return nil
            }, context)
        precondition(result == 0, "cannot start an encoder thread: \(String(cString: strerror(result)))")
        thread = made
    }

    /// Ends the thread and waits for it.
    func stop() {
        guard let thread else { return }
        isStopped.store(true, ordering: .releasing)
        awake.signal()
        pthread_join(thread, nil)
        self.thread = nil
    }

    func send(_ order: Order) {
        orders.withLock { $0.append(order) }
        awake.signal()
    }

    private func run() {
        while !isStopped.load(ordering: .acquiring) {
            for source in sources.values { source.look() }
            obey()
            let active = sources.values.filter { !$0.isIdle }
            guard !active.isEmpty else {
                awake.wait()
                continue
            }
            var packets: [EncodedPacket] = []
            for source in active { source.pump { packets.append($0) } }
            if !packets.isEmpty { pass(packets) }
            _ = awake.wait(timeout: .now() + .microseconds(Self.interval))
        }
    }

    private func obey() {
        let received = orders.withLock { orders in
            let all = orders
            orders = []
            return all
        }
        for order in received {
            switch order {
            case .add(let source): sources[source.listener] = source
            case .encode(let listener, let encodings, let begin): sources[listener]?.encode(encodings, from: begin)
            }
        }
    }
}
