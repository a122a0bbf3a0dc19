internal import Synchronization

/// One flag from the control side to the realtime side, for example whether a result is wanted.
@frozen
public struct Switch: ~Copyable, Sendable {
    public let control: Control
    public let realtime: Realtime

    /// Creates a switch that is off.
    public init() { self.init(SwitchRow(count: 1), 0) }

    init(_ row: SwitchRow, _ place: Int) {
        control = Control(owner: row, place: place)
        realtime = Realtime(row, place)
    }

    public struct Control: ~Copyable, Sendable {
        let owner: SwitchRow
        let place: Int
        public func set(_ isOn: Bool) { owner.flags[place].store(isOn, ordering: .relaxed) }
    }

    public struct Realtime: ~Copyable, Sendable {
        private let owner: SwitchRow
        // SAFETY: lives as long as `owner`.
        private nonisolated(unsafe) let flag: UnsafeMutablePointer<Atomic<Bool>>

        init(_ row: SwitchRow, _ place: Int) {
            owner = row
            flag = row.flags + place
        }

        public var isOn: Bool { @_noLocks @_noAllocation get { flag.pointee.load(ordering: .relaxed) } }
    }
}

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

    public var view: View { View(flags: flags) }

    /// The realtime side's access to all of them, valid as long as the row is held.
    // SAFETY: points to atomics.
    public struct View: BitwiseCopyable, @unchecked Sendable {
        private let flags: UnsafeMutablePointer<Atomic<Bool>>

        init(flags: UnsafeMutablePointer<Atomic<Bool>>) { self.flags = flags }

        @_noLocks @_noAllocation
        public func isOn(_ place: Int) -> Bool { flags[place].load(ordering: .relaxed) }
    }

    /// Returns both ends of the switch at `place`.
    public func makeSwitch(_ place: Int) -> Switch {
        precondition(place >= 0 && place < count, "switch \(place) of \(count)")
        return Switch(self, place)
    }
}
