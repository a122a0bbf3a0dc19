internal import Synchronization

/// Switches side by side, one per listener: a thread that asks all of them touches one cache line, not one for each.
// SAFETY: atomics; freed when all ends are gone.
public final class GateRow: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    let switches: UnsafeMutablePointer<Atomic<Bool>>
    private let count: Int

    /// All closed.
    public init(count: Int) {
        memory = .allocate(byteCount: max(64, count), alignment: 64)
        switches = memory.bindMemory(to: Atomic<Bool>.self, capacity: count)
        for i in 0..<count { (switches + i).initialize(to: Atomic(false)) }
        self.count = count
    }

    deinit {
        switches.deinitialize(count: count)
        memory.deallocate()
    }

    /// The ends of the switch at `place`.
    public func gate(_ place: Int) -> Gate {
        precondition(place >= 0 && place < count, "gate \(place) of \(count)")
        return Gate(self, place)
    }
}
