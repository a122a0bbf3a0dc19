public import Parameters

/// The steps that can be undone, and those that can be redone.
///
/// Changes of the same parameters by the same sender, each within ``pause`` of the one before, are one step: a gesture. So are
/// all changes of one packet, and those between ``begin(_:time:)`` and ``end(_:)`` of a sender. Times are CLOCK_MONOTONIC nanoseconds.
public struct EditHistory<Sender: Hashable> {
    /// Nanoseconds without a change that end a gesture.
    public static var pause: UInt64 { 700_000_000 }
    /// The same for a gesture whose beginning and end its sender announces.
    public static var longestPause: UInt64 { 60_000_000_000 }
    /// Maximum number of senders that are in such a gesture; those beyond it are treated as if they had announced nothing.
    private static var mostHolds: Int { 256 }
    /// Smallest number of steps kept; up to ``slack`` more may be kept.
    public static var most: Int { 500 }
    public static var slack: Int { 64 }
    private struct Entry {
        var step: EditStep
        var sender: Sender
        var time: UInt64
        var packet: UInt64
        /// Whether its sender has announced the end of the gesture.
        var isOver = false
    }
    /// A gesture whose beginning its sender has announced.
    private struct Hold {
        /// Time of its beginning, then of its last change.
        var time: UInt64
        /// Number of the entry that it has made; nil for none yet.
        var number: Int?
    }

    private var done: [Entry] = []
    /// Number of entries that were dropped. Entries are numbered from the first one ever recorded.
    private var forgotten = 0
    /// Entries before this one take no further changes.
    private var firstOpen = 0
    /// The last open entry in which an address or a pattern was sent, or an address was changed.
    private var latest: [String: Int] = [:]
    /// Maximum number of addresses and patterns in `latest`; senders may invent any number of patterns.
    private static var mostAddresses: Int { 8192 }
    private var undone: [EditStep] = []
    private var holds: [Sender: Hold] = [:]

    public init() {}

    /// The step that undo would revert.
    public var nextUndo: EditStep? { done.last?.step }
    /// The step that redo would repeat.
    public var nextRedo: EditStep? { undone.last }
    public var count: Int { done.count }

    /// Records a change. Steps that were undone before can no longer be redone.
    ///
    /// - Parameters:
    ///   - target: the address or pattern that the sender named.
    ///   - packet: equal for changes that came in one packet.
    ///   - time: time of this change.
    public mutating func record(_ step: EditStep, from sender: Sender, target: String, packet: UInt64, time: UInt64) {
        guard !step.isEmpty else { return }
        undone.removeAll()
        if let hold = holds[sender], !isSoon(time, after: hold.time, Self.longestPause) { end(sender) }
        holds[sender]?.time = time
        if step.isGesture, let index = gesture(of: sender, target, packet, time, settings: step.settings) {
            merge(step, into: index)
            done[index].time = time
            done[index].packet = packet
            note(step, target, forgotten + index)
            return
        }
        if latest.count >= Self.mostAddresses { close() }
        add(.init(step: step, sender: sender, time: time, packet: packet))
        guard step.isGesture else { return close() }
        note(step, target, forgotten + done.count - 1)
        holds[sender]?.number = forgotten + done.count - 1
    }

    /// Makes all changes of a sender one step until ``end(_:)``, unless it pauses for longer than ``longestPause``.
    public mutating func begin(_ sender: Sender, time: UInt64) {
        end(sender)
        if holds.count >= Self.mostHolds { holds = holds.filter { isSoon(time, after: $0.value.time, Self.longestPause) } }
        if holds.count < Self.mostHolds { holds[sender] = Hold(time: time) }
    }

    /// Ends the gesture that a sender has begun: its next change begins a new step.
    public mutating func end(_ sender: Sender) {
        guard let number = holds.removeValue(forKey: sender)?.number, number >= forgotten else { return }
        done[number - forgotten].isOver = true
    }

    /// Continues the gesture that last changed a parameter, as most messages do.
    ///
    /// - Parameter address: address of the parameter, which the sender named.
    /// - Returns: false, with nothing changed, when the change begins a new step.
    public mutating func continueGesture(
        _ address: String, to value: ParameterValue, from sender: Sender, packet: UInt64, time: UInt64
    ) -> Bool {
        guard undone.isEmpty, let number = latest[address], number >= max(forgotten, firstOpen) else { return false }
        let index = number - forgotten
        guard continues(number, sender, time),
            let setting = done[index].step.settings.firstIndex(where: { $0.address == address })
        else { return false }
        done[index].step.settings[setting].after = value
        holds[sender]?.time = time
        done[index].time = time
        done[index].packet = packet
        return true
    }

    private mutating func add(_ entry: Entry) {
        done.append(entry)
        // Several at a time, because each removal moves all later entries.
        guard done.count > Self.most + Self.slack else { return }
        let surplus = done.count - Self.most
        done.removeFirst(surplus)
        forgotten += surplus
    }

    private mutating func note(_ step: EditStep, _ target: String, _ number: Int) {
        latest[target] = number
        for setting in step.settings where setting.address != target { latest[setting.address] = number }
    }

    private func isSoon(_ time: UInt64, after former: UInt64, _ pause: UInt64) -> Bool { time < former || time - former <= pause }

    /// Whether a change of a sender at a time may join an entry.
    private func continues(_ number: Int, _ sender: Sender, _ time: UInt64) -> Bool {
        let entry = done[number - forgotten]
        guard entry.sender == sender, !entry.isOver else { return false }
        guard let hold = holds[sender] else { return isSoon(time, after: entry.time, Self.pause) }
        return hold.number == number && isSoon(time, after: entry.time, Self.longestPause)
    }

    /// Index of the step that a change continues; nil when it begins a new one.
    private func gesture(
        of sender: Sender, _ target: String, _ packet: UInt64, _ time: UInt64, settings: [EditStep.Setting]
    ) -> Int? {
        // A change after effects or sessions were replaced begins a new step.
        let first = max(forgotten, firstOpen)
        let last = forgotten + done.count - 1
        if last >= first, done[last - forgotten].packet == packet, continues(last, sender, time) { return last - forgotten }
        guard let number = holds[sender].map(\.number) ?? latest[target], number >= first, continues(number, sender, time) else {
            return nil
        }
        // Changed in a later step: joining the earlier one would reverse their order.
        guard settings.allSatisfy({ (latest[$0.address] ?? number) <= number }) else { return nil }
        return number - forgotten
    }

    private mutating func merge(_ step: EditStep, into index: Int) {
        for setting in step.settings {
            if let known = done[index].step.settings.firstIndex(where: { $0.address == setting.address }) {
                done[index].step.settings[known].after = setting.after
            } else {
                done[index].step.settings.append(setting)
            }
        }
    }

    /// Makes the next change begin a new step, even one by the same sender.
    public mutating func close() {
        firstOpen = forgotten + done.count
        for sender in holds.keys { holds[sender]?.number = nil }
        latest.removeAll(keepingCapacity: true)
    }

    /// Moves the last step to those that can be redone.
    ///
    /// - Parameter actual: the changes that the undo made. A redo restores the values from before them, which may have been set after the
    ///   step.
    public mutating func didUndo(_ actual: EditStep) {
        guard var step = done.popLast()?.step else { return }
        close()
        for i in step.settings.indices {
            if let change = actual.settings.first(where: { $0.address == step.settings[i].address }) {
                step.settings[i].after = change.before
            }
        }
        for (name, change) in actual.racks where step.racks[name] != nil { step.racks[name]?.after = change.before }
        undone.append(step)
    }

    /// Moves the last step that was undone back to those that can be undone.
    ///
    /// - Parameter actual: the changes that the redo made.
    public mutating func didRedo(_ actual: EditStep, from sender: Sender, time: UInt64) {
        guard var step = undone.popLast() else { return }
        for i in step.settings.indices {
            if let change = actual.settings.first(where: { $0.address == step.settings[i].address }) {
                step.settings[i].before = change.before
            }
        }
        for (name, change) in actual.racks where step.racks[name] != nil { step.racks[name]?.before = change.before }
        add(.init(step: step, sender: sender, time: time, packet: time))
        close()
    }
}
