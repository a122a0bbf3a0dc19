internal import Synchronization

/// The bridge of a recorder, owned by one thread at a time. A thread that returns late from a hung driver has lost ownership.
// SAFETY: `bridge` is used under `lock` only.
final class BridgeBox: @unchecked Sendable {
    private let lock = Mutex<Void>(())
    private let present = Atomic(0)
    private var bridge: ArrayBridge?

    /// Number of the turn.
    var turn: Int { present.load(ordering: .acquiring) }

    /// Begins the next turn, and returns its number.
    func begin() -> Int { lock.withLock { _ in present.add(1, ordering: .acquiringAndReleasing).newValue } }

    /// Uses the bridge, unless another turn has begun.
    func use(_ turn: Int, _ body: (inout ArrayBridge?) -> Void) {
        lock.withLock { _ in
            if present.load(ordering: .relaxed) == turn { body(&bridge) }
        }
    }
}
