import Crossing
import Hub
import Parameters

/// Groups of listeners that are muted and moved as a whole. Used on the control thread only.
package final class ListenerGroups {
    private let hub: Hub

    init(hub: Hub) { self.hub = hub }

    func connect() {
        for group in 0..<StreamGroupParameter.count {
            hub.onSet(index(.name, group)) { value, _ in
                if value.text?.contains(where: \.isNewline) == true { throw RequestError("a group's name is one line") }
            }
            hub.onSet(index(.recording, group)) { value, _ in
                if value.text?.contains(where: \.isNewline) == true { throw RequestError("the name of a group's recording is one line") }
            }
            hub.onSet(index(.mute, group)) { [unowned self] value, _ in
                for listener in members(group + 1) { mute(listener, value.numbers[0] != 0) }
            }
            hub.onSet(index(.move, group)) { [unowned self] value, _ in
                for listener in members(group + 1) {
                    hub.set(ListenerParameter.group.address(listener), to: [.float(value.numbers[0])])
                }
            }
        }
        for listener in 0..<hub.tree.listeners {
            hub.onSet(hub.tree.index(ListenerParameter.group, listener)) { [unowned self] value, _ in
                // The listener's mute changes only if its former and its new group differ in theirs.
                let (before, after) = (isMuted(group(of: listener)), isMuted(Int(clamping: value.numbers[0])))
                if before != after { mute(listener, after) }
            }
        }
    }

    private func index(_ parameter: StreamGroupParameter, _ group: Int) -> Int { hub.tree.index(parameter, group) }

    /// The group of a listener, from 1; 0 for none.
    /// - Parameter listener: from 0.
    private func group(of listener: Int) -> Int {
        Int(clamping: hub.value(hub.tree.index(ListenerParameter.group, listener)).numbers[0])
    }

    /// Listeners of a group, from 0.
    private func members(_ number: Int) -> [Int] {
        let isPresent = hub.tree.isPresent
        return isPresent.indices.filter { isPresent[$0] && group(of: $0) == number }
    }

    private func isMuted(_ number: Int) -> Bool { number > 0 && hub.value(index(.mute, number - 1)).numbers[0] != 0 }

    private func mute(_ listener: Int, _ isOn: Bool) { hub.set(ListenerParameter.mute.address(listener), to: [.float(isOn ? 1 : 0)]) }

    /// Delays of the listeners in groups, in milliseconds, by the listener's number from 1.
    package var delays: [Int: Double] {
        let isPresent = hub.tree.isPresent
        var found: [Int: Double] = [:]
        for listener in isPresent.indices where isPresent[listener] {
            let number = group(of: listener)
            if number > 0 { found[listener + 1] = Double(hub.value(index(.delay, number - 1)).numbers[0]) }
        }
        return found
    }

    /// Publishes the number of members of each group.
    package func publish() {
        var counts = [Int](repeating: 0, count: StreamGroupParameter.count + 1)
        let isPresent = hub.tree.isPresent
        for listener in isPresent.indices where isPresent[listener] { counts[group(of: listener)] += 1 }
        for group in 0..<StreamGroupParameter.count { hub.publish(index(.members, group), .number(Float(counts[group + 1]))) }
    }
}
