internal import Synchronization

/// Adjacent switches, one per listener: a thread that reads all of them touches one cache line instead of one for each.
// SAFETY: atomics; freed when all ends are gone.
public final class SwitchRow: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    let flags: UnsafeMutablePointer<Atomic<Bool>>
    private let count: Int

    /// Creates switches that are off.
    public init(count: Int) {
        memory = .allocate(byteCount: max(64, count), alignment: 64)
        flags = memory.bindMemory(to: Atomic<Bool>.self, capacity: count)
        for i in 0..<count { (flags + i).initialize(to: Atomic(false)) }
        self.count = count
    }

    deinit {
        flags.deinitialize(count: count)
        memory.deallocate()
    }

    /// Returns both ends of the switch at `place`.
    public func makeSwitch(_ place: Int) -> Switch {
        precondition(place >= 0 && place < count, "switch \(place) of \(count)")
        return Switch(self, place)
    }
}
