internal import Synchronization

/// One switch from the control side to the realtime side: does anybody want this?
@frozen
public struct Gate: ~Copyable, Sendable {
    public let control: Control
    public let realtime: Realtime

    public init() { self.init(GateRow(count: 1), 0) }

    init(_ row: GateRow, _ place: Int) {
        control = Control(owner: row, place: place)
        realtime = Realtime(row, place)
    }

    public struct Control: ~Copyable, Sendable {
        let owner: GateRow
        let place: Int
        public func set(_ isOpen: Bool) { owner.switches[place].store(isOpen, ordering: .relaxed) }
    }

    public struct Realtime: ~Copyable, Sendable {
        private let owner: GateRow
        // SAFETY: lives as long as `owner`.
        private nonisolated(unsafe) let open: UnsafeMutablePointer<Atomic<Bool>>

        init(_ row: GateRow, _ place: Int) {
            owner = row
            open = row.switches + place
        }

        public var isOpen: Bool { @_noLocks @_noAllocation get { open.pointee.load(ordering: .relaxed) } }
    }
}
