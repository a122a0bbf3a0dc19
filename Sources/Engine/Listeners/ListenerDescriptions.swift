import Binaural
import CRealtime
import Hub
import Parameters

/// The settings of listeners that browsers need which render them themselves, as JSON.
///
/// Used on the control thread only.
package final class ListenerDescriptions {
    private static let settings: [ListenerParameter] = [.method, .gain, .mute, .earAzimuth, .front, .fixedMicrophone, .hrtf]
    private let hub: Hub
    private let rate: Float
    private let changes: Subscriber
    private let time = ChangeTime()
    private var followed: Set<Int> = []
    /// Listeners, counted from 1, by the parameters that are theirs alone.
    private var known: [Int: Int] = [:]
    private var shape: Int

    /// - Parameter rate: frames per second.
    init(hub: Hub, rate: Float) {
        self.hub = hub
        self.rate = rate
        shape = hub.shape
        changes = hub.subscribe { [time] in time.nanoseconds = rt_now() }
        changes.listen(hub.tree.index(ArraySetting.crossover))
        changes.listen(hub.tree.index(ProtectionParameter.ceiling))
        changes.listen(hub.tree.index(RackParameter.layout, RackPosition.recording.instance))
        for object in 0..<hub.tree.objects { changes.listen(hub.tree.index(ObjectParameter.source, object)) }
    }

    /// Time of the oldest change that ``changed(among:)`` returned last; nanoseconds of CLOCK_MONOTONIC.
    package var changedAt: UInt64 { time.nanoseconds }

    /// Follows listeners, counted from 1.
    /// - Returns: those whose settings have changed since the last call.
    package func changed(among listeners: [Int]) -> [Int] {
        // A listener that was away is another one, whose parameters are not followed yet.
        if hub.shape != shape { (followed, shape) = ([], hub.shape) }
        for listener in listeners where followed.insert(listener).inserted { follow(listener) }
        guard changes.hasPending else { return [] }
        let changed = changes.takePending().map { known[$0] }
        return changed.contains(nil) ? listeners : Array(Set(changed.compactMap(\.self)))
    }

    private func follow(_ listener: Int) {
        let rack = hub.tree.index(RackParameter.layout, RackPosition.output(listener - 1).instance)
        for index in Self.settings.map({ hub.tree.index($0, listener - 1) }) + [rack] {
            changes.listen(index)
            known[index] = listener
        }
    }

    private func method(_ listener: Int) -> InterpolationMethod {
        InterpolationMethod(rawValue: Int(clamping: hub.value(hub.tree.index(ListenerParameter.method, listener)).numbers[0])) ?? .standard
    }

    /// Frames by which a listener, counted from 0, hears the recording later than the engine's sample count says, without effects.
    package func latency(_ listener: Int) -> Int {
        method(listener).latency(rate: rate) + Int(clamping: hub.value(hub.tree.index(ProtectionParameter.latency)).numbers[0])
    }

    /// The settings of a listener, counted from 0.
    package func text(_ listener: Int) -> String {
        let tree = hub.tree
        func number(_ parameter: ListenerParameter) -> Float { hub.value(tree.index(parameter, listener)).numbers[0] }
        let hasEffects = [RackPosition.recording, .output(listener)].contains {
            hub.value(tree.index(RackParameter.layout, $0.instance)).text?.isEmpty == false
        }
        // Browsers render objects for the rigid sphere.
        let hasHRTF =
            hub.value(tree.index(ListenerParameter.hrtf, listener)).text?.isEmpty == false
            && (0..<tree.objects).contains { hub.value(tree.index(ObjectParameter.source, $0)).text?.isEmpty == false }
        let name = method(listener).name
        return "{\"type\":\"listener\",\"method\":\"\(name)\",\"gain\":\(number(.gain)),\"mute\":\(number(.mute) != 0),"
            + "\"earAzimuth\":\(number(.earAzimuth)),\"front\":\(number(.front)),"
            + "\"fixedMicrophone\":\(Int(clamping: number(.fixedMicrophone))),"
            + "\"racks\":\(hasEffects),\"hrtf\":\(hasHRTF),\"ceiling\":\(hub.value(tree.index(ProtectionParameter.ceiling)).numbers[0]),"
            + "\"crossover\":\(hub.value(tree.index(ArraySetting.crossover)).numbers[0])}"
    }
}
