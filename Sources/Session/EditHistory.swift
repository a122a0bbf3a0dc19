/// The steps that can be taken back, and those that can be made again.
///
/// Changes of the same parameters by the same sender, each within ``pause`` of the one before, are one step: a gesture. So is
/// what one packet changes. Times are CLOCK_MONOTONIC nanoseconds.
public struct EditHistory<Sender: Hashable> {
    /// Nanoseconds after which a gesture is over.
    public static var pause: UInt64 { 700_000_000 }
    /// Older steps are forgotten.
    public static var most: Int { 500 }
    /// Gestures that may go on at the same time.
    private static var mostOpen: Int { 16 }

    private struct Entry {
        var step: EditStep
        var sender: Sender
        /// What the sender named: an address or a pattern, the same in every message of a gesture.
        var targets: Set<String>
        var time: UInt64
        var packet: UInt64
        var isOpen: Bool
    }

    private var done: [Entry] = []
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
        if step.isGesture, let index = gesture(of: sender, target, packet, time, settings: step.settings)
        {
            merge(step, into: index)
            done[index].targets.insert(target)
            done[index].time = time
            done[index].packet = packet
            return
        }
        done.append(
            .init(step: step, sender: sender, targets: [target], time: time, packet: packet, isOpen: step.isGesture))
        if done.count > Self.most { done.removeFirst(done.count - Self.most) }
    }

    /// The step that a change goes on with.
    private func gesture(
        of sender: Sender, _ target: String, _ packet: UInt64, _ time: UInt64, settings: [EditStep.Setting]
    ) -> Int? {
        for index in done.indices.suffix(Self.mostOpen).reversed() {
            let entry = done[index]
            // What follows something that exchanged effects or sessions is something new.
            guard entry.isOpen else { return nil }
            if entry.sender == sender {
                if entry.packet == packet, index == done.count - 1 { return index }
                let isSoon = time >= entry.time ? time - entry.time <= Self.pause : true
                if entry.targets.contains(target) { return isSoon ? index : nil }
            }
            // Somebody else has moved it since: to go on before that would turn the order round.
            let addresses = settings.map(\.address)
            if entry.step.settings.contains(where: { addresses.contains($0.address) }) { return nil }
        }
        return nil
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
        for index in done.indices.suffix(Self.mostOpen) { done[index].isOpen = false }
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
        done.append(.init(step: step, sender: sender, targets: [], time: time, packet: time, isOpen: false))
    }
}
