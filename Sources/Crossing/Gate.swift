internal import Synchronization

/// One switch from the control side to the realtime side: does anybody want this?
@frozen
public struct Gate: ~Copyable, Sendable {
    public let control: Control
    public let realtime: Realtime

    public init() {
        let storage = Storage()
        control = Control(owner: storage)
        realtime = Realtime(storage)
    }

    // SAFETY: an atomic; freed when both ends are gone.
    final class Storage: @unchecked Sendable {
        let open = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
        init() { open.initialize(to: Atomic(false)) }
        deinit {
            open.deinitialize(count: 1)
            open.deallocate()
        }
    }

    public struct Control: ~Copyable, Sendable {
        let owner: Storage
        public func set(_ isOpen: Bool) { owner.open.pointee.store(isOpen, ordering: .relaxed) }
    }

    public struct Realtime: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: lives as long as `owner`.
        private nonisolated(unsafe) let open: UnsafeMutablePointer<Atomic<Bool>>

        init(_ storage: Storage) {
            owner = storage
            open = storage.open
        }

        public var isOpen: Bool { @_noLocks @_noAllocation get { open.pointee.load(ordering: .relaxed) } }
    }
}
