public import Parameters

/// The steps that can be taken back, and those that can be made again.
///
/// Changes of the same parameters by the same sender, each within ``pause`` of the one before, are one step: a gesture. So is
/// what one packet changes. Times are CLOCK_MONOTONIC nanoseconds.
public struct EditHistory<Sender: Hashable> {
    /// Nanoseconds after which a gesture is over.
    public static var pause: UInt64 { 700_000_000 }
    /// So many steps are kept at least, and ``slack`` more at most.
    public static var most: Int { 500 }
    public static var slack: Int { 64 }
    private struct Entry {
        var step: EditStep
        var sender: Sender
        var time: UInt64
        var packet: UInt64
    }

    private var done: [Entry] = []
    /// How many entries were forgotten: they are counted from the first that ever was.
    private var forgotten = 0
    /// Entries before this one are over.
    private var firstOpen = 0
    /// The last entry that an address or a pattern was sent in, or that an address was changed in, of those that go on.
    private var latest: [String: Int] = [:]
    /// Addresses and patterns that are kept in mind; senders may invent any number of patterns.
    private static var mostAddresses: Int { 8192 }
    private var undone: [EditStep] = []

    public init() {}

    /// What would be taken back.
    public var nextUndo: EditStep? { done.last?.step }
    /// What would be made again.
    public var nextRedo: EditStep? { undone.last }
    public var count: Int { done.count }

    /// Takes in what somebody has done; what was taken back before cannot be made again any more.
    ///
    /// - Parameters:
    ///   - target: what the sender named: an address or a pattern.
    ///   - packet: the same for what came together.
    ///   - time: of this change, as is `packet`.
    public mutating func record(_ step: EditStep, from sender: Sender, target: String, packet: UInt64, time: UInt64) {
        guard !step.isEmpty else { return }
        undone.removeAll()
        if step.isGesture, let index = gesture(of: sender, target, packet, time, settings: step.settings) {
            merge(step, into: index)
            done[index].time = time
            done[index].packet = packet
            note(step, target, forgotten + index)
            return
        }
        if latest.count >= Self.mostAddresses { close() }
        add(.init(step: step, sender: sender, time: time, packet: packet))
        if step.isGesture { note(step, target, forgotten + done.count - 1) } else { close() }
    }

    /// Goes on with the gesture that last changed one parameter, which is what most messages do.
    ///
    /// - Parameter address: of the parameter, and what the sender named.
    /// - Returns: false, having done nothing, when it is the beginning of something.
    public mutating func goOn(
        _ address: String, to value: ParameterValue, from sender: Sender, packet: UInt64, time: UInt64
    ) -> Bool {
        guard undone.isEmpty, let number = latest[address], number >= max(forgotten, firstOpen) else { return false }
        let index = number - forgotten
        guard done[index].sender == sender, isSoon(time, after: done[index].time),
            let setting = done[index].step.settings.firstIndex(where: { $0.address == address })
        else { return false }
        done[index].step.settings[setting].after = value
        done[index].time = time
        done[index].packet = packet
        return true
    }

    private mutating func add(_ entry: Entry) {
        done.append(entry)
        // Not one by one: everything behind moves.
        guard done.count > Self.most + Self.slack else { return }
        let surplus = done.count - Self.most
        done.removeFirst(surplus)
        forgotten += surplus
    }

    private mutating func note(_ step: EditStep, _ target: String, _ number: Int) {
        latest[target] = number
        for setting in step.settings where setting.address != target { latest[setting.address] = number }
    }

    private func isSoon(_ time: UInt64, after former: UInt64) -> Bool { time < former || time - former <= Self.pause }

    /// The step that a change goes on with.
    private func gesture(
        of sender: Sender, _ target: String, _ packet: UInt64, _ time: UInt64, settings: [EditStep.Setting]
    ) -> Int? {
        // What follows something that exchanged effects or sessions is something new.
        let first = max(forgotten, firstOpen)
        let last = forgotten + done.count - 1
        if last >= first, done[last - forgotten].packet == packet, done[last - forgotten].sender == sender { return last - forgotten }
        guard let number = latest[target], number >= first else { return nil }
        let entry = done[number - forgotten]
        guard entry.sender == sender, isSoon(time, after: entry.time) else { return nil }
        // Moved in another step since: to go on before that would turn the order round.
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

    /// The next change begins a new step, whoever makes it.
    public mutating func close() {
        firstOpen = forgotten + done.count
        latest.removeAll(keepingCapacity: true)
    }

    /// Moves the last step to what can be made again.
    ///
    /// - Parameter actual: what taking it back has changed. What somebody moved since comes back with a redo as it was then.
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

    /// Moves the last step that was taken back to what can be taken back.
    ///
    /// - Parameter actual: what making it again has changed.
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
