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
