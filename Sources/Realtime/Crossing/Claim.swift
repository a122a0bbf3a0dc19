internal import Synchronization

/// Decides which side comes first: the realtime side, which takes something, or the control side, which withdraws it. Neither waits.
public final class Claim: Sendable {
    private static let (open, withdrawn, taken): (UInt8, UInt8, UInt8) = (0, 1, 2)
    // SAFETY: freed with this value, which every ``Realtime`` keeps alive.
    fileprivate nonisolated(unsafe) let state: UnsafeMutablePointer<Atomic<UInt8>>

    public init() {
        state = .allocate(capacity: 1)
        state.initialize(to: Atomic(0))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Control side: withdraws it.
    /// - Returns: false when the realtime side has taken it.
    public func withdraw() -> Bool {
        let before = state.pointee.compareExchange(expected: Self.open, desired: Self.withdrawn, ordering: .acquiringAndReleasing)
        return before.original != Self.taken
    }

    /// Whether the realtime side has taken it.
    public var isTaken: Bool { state.pointee.load(ordering: .acquiring) == Self.taken }

    /// The realtime side's end.
    public struct Realtime: ~Copyable, Sendable {
        private let owner: Claim?
        // SAFETY: lives as long as `owner`; nil when the control side cannot withdraw.
        private nonisolated(unsafe) let state: UnsafeMutablePointer<Atomic<UInt8>>?

        /// - Parameter claim: nil when the control side cannot withdraw.
        public init(_ claim: Claim?) {
            owner = claim
            state = claim?.state
        }

        /// - Returns: false when the control side has withdrawn it.
        @_noLocks @_noAllocation
        public func take() -> Bool {
            guard let state else { return true }
            return state.pointee.compareExchange(expected: 0, desired: 2, ordering: .acquiringAndReleasing).original == 0
        }

        public var isWithdrawn: Bool {
            @_noLocks @_noAllocation get {
                guard let state else { return false }
                return state.pointee.load(ordering: .relaxed) == 1
            }
        }
    }
}
