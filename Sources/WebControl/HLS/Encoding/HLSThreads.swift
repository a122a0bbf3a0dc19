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
    func add(_ encoder: HLSEncoder) {
        let fewest = threads.indices.min { threads[$0].encoders.count < threads[$1].encoders.count }
        if let fewest, threads[fewest].encoders.isEmpty || threads.count == most {
            threads[fewest].encoders.append(encoder)
            threads[fewest].thread.run(threads[fewest].encoders)
        } else {
            let thread = HLSThread(wake: wake)
            threads.append((thread, [encoder]))
            thread.run([encoder])
        }
    }

    func remove(_ encoder: HLSEncoder) {
        for i in threads.indices where threads[i].encoders.contains(where: { $0 === encoder }) {
            threads[i].encoders.removeAll { $0 === encoder }
            threads[i].thread.run(threads[i].encoders)
        }
    }
}
