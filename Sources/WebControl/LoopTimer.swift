internal import CWebSockets

/// Calls something again and again on a server's loop.
final class LoopTimer {
    private let context: OpaquePointer
    private let interval: lws_usec_t
    private let body: () -> Void
    /// libwebsockets' list entry, and behind it the way back to this object.
    private let memory: UnsafeMutableRawPointer
    private static let behind = MemoryLayout<lws_sorted_usec_list_t>.stride

    private var entry: UnsafeMutablePointer<lws_sorted_usec_list_t> {
        memory.assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    }

    /// - Parameter milliseconds: from the beginning of one call to the beginning of the next.
    init(_ context: OpaquePointer, milliseconds: Int, _ body: @escaping () -> Void) {
        self.context = context
        self.body = body
        interval = lws_usec_t(milliseconds) * 1000
        memory = .allocate(byteCount: Self.behind + MemoryLayout<UnsafeMutableRawPointer>.size, alignment: 16)
        memory.initializeMemory(as: lws_sorted_usec_list_t.self, to: .init())
        memory.storeBytes(
            of: Unmanaged.passUnretained(self).toOpaque(), toByteOffset: Self.behind, as: UnsafeMutableRawPointer.self)
        schedule()
    }

    /// Before the context is destroyed.
    func cancel() {
        lws_sul_schedule(context, 0, entry, nil, -1)
    }

    deinit { memory.deallocate() }

    private func schedule() {
        lws_sul_schedule(
            context, 0, entry,
            { entry in
                let back = UnsafeMutableRawPointer(entry!).load(
                    fromByteOffset: LoopTimer.behind, as: UnsafeMutableRawPointer.self)
                let timer = Unmanaged<LoopTimer>.fromOpaque(back).takeUnretainedValue()
                timer.schedule()
                timer.body()
            }, interval)
    }
}
