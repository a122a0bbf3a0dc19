internal import CWebSockets

/// Calls something again and again on a server's loop.
final class LoopTimer {
    private let context: OpaquePointer
    /// Returns the microseconds from the beginning of this call to that of the next.
    private let body: () -> Int
    /// libwebsockets' list entry, and behind it the way back to this object.
    private let memory: UnsafeMutableRawPointer
    private var isCancelled = false
    private static let behind = MemoryLayout<lws_sorted_usec_list_t>.stride

    private var entry: UnsafeMutablePointer<lws_sorted_usec_list_t> {
        memory.assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    }

    /// - Parameter milliseconds: from the beginning of one call to the beginning of the next.
    convenience init(_ context: OpaquePointer, milliseconds: Int, _ body: @escaping () -> Void) {
        self.init(context, first: milliseconds * 1000) {
            body()
            return milliseconds * 1000
        }
    }

    /// - Parameters:
    ///   - first: microseconds until the first call.
    ///   - body: returns the microseconds from the beginning of a call to the beginning of the next.
    init(_ context: OpaquePointer, first: Int, _ body: @escaping () -> Int) {
        self.context = context
        self.body = body
        memory = .allocate(byteCount: Self.behind + MemoryLayout<UnsafeMutableRawPointer>.size, alignment: 16)
        memory.initializeMemory(as: lws_sorted_usec_list_t.self, to: .init())
        memory.storeBytes(
            of: Unmanaged.passUnretained(self).toOpaque(), toByteOffset: Self.behind, as: UnsafeMutableRawPointer.self)
        schedule(after: first)
    }

    /// Before the context is destroyed.
    func cancel() {
        isCancelled = true
        lws_sul_schedule(context, 0, entry, nil, -1)
    }

    deinit { memory.deallocate() }

    private func schedule(after microseconds: Int) {
        lws_sul_schedule(
            context, 0, entry,
            { entry in
                let back = UnsafeMutableRawPointer(entry!).load(
                    fromByteOffset: LoopTimer.behind, as: UnsafeMutableRawPointer.self)
                let timer = Unmanaged<LoopTimer>.fromOpaque(back).takeUnretainedValue()
                let begin = lws_now_usecs()
                let next = begin + lws_usec_t(timer.body())
                if !timer.isCancelled { timer.schedule(after: Int(max(1, next - lws_now_usecs()))) }
            }, lws_usec_t(microseconds))
    }
}
