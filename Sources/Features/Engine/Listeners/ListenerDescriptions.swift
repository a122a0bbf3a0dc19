import Binaural
import CRealtime
import Hub
import Parameters

/// The settings of listeners for browsers that render them, as JSON.
///
/// Used on the control thread only.
package final class ListenerDescriptions {
    /// Maximum number of objects with sounds in a packet of the scene, besides the 16 directions of sound from all around.
    package static let mostObjects = 80
    private static let settings: [ListenerParameter] = [
        .method, .gain, .mute, .earAzimuth, .front, .fixedMicrophone, .hrtf, .xyz,
    ]
    private let hub: Hub
    private let rate: Float
    private let changes: Subscriber
    private let time = ChangeTime()
    private var followed: Set<Int> = []
    /// Listeners, counted from 1, by the indices of the parameters that belong to them alone.
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
        for object in 0..<hub.tree.objects {
            for parameter in [ObjectParameter.source, .renderer] { changes.listen(hub.tree.index(parameter, object)) }
        }
        for tracker in 0..<hub.tree.trackers {
            for parameter in [TrackerParameter.listener, .position] { changes.listen(hub.tree.index(parameter, tracker)) }
        }
    }

    /// Time of the oldest change that ``changed(among:)`` returned last; nanoseconds of CLOCK_MONOTONIC.
    package var changedAt: UInt64 { time.nanoseconds }

    /// Follows listeners, counted from 1.
    /// - Returns: those whose settings have changed since the last call.
    package func changed(among listeners: [Int]) -> [Int] {
        // A listener that was absent counts as new: its parameters are not followed yet.
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

    /// Latency of the recording at a listener, counted from 0, in frames after the engine's sample count; without that of effects.
    package func latency(_ listener: Int) -> Int {
        method(listener).latency(rate: rate) + Int(clamping: hub.value(hub.tree.index(ProtectionParameter.latency)).numbers[0])
    }

    /// Whether a listener, counted from 0, is away from the origin, or a tracker may move it.
    private func isElsewhere(_ listener: Int) -> Bool {
        let tree = hub.tree
        if hub.value(tree.index(ListenerParameter.xyz, listener)).numbers.prefix(3).contains(where: { $0 != 0 }) { return true }
        return (0..<tree.trackers).contains {
            hub.value(tree.index(TrackerParameter.position, $0)).numbers[0] != 0
                && hub.value(tree.index(TrackerParameter.listener, $0)).numbers[0] == Float(listener + 1)
        }
    }

    /// The settings of a listener, counted from 0.
    package func text(_ listener: Int) -> String {
        let tree = hub.tree
        func number(_ parameter: ListenerParameter) -> Float { hub.value(tree.index(parameter, listener)).numbers[0] }
        let hasEffects = [RackPosition.recording, .output(listener)].contains {
            hub.value(tree.index(RackParameter.layout, $0.instance)).text?.isEmpty == false
        }
        // Browsers render objects with the rigid sphere at the origin; objects that are encoded onto the array are part of the microphone
        // signals.
        let objects = (0..<tree.objects).count {
            hub.value(tree.index(ObjectParameter.source, $0)).text?.isEmpty == false
                && hub.value(tree.index(ObjectParameter.renderer, $0)).numbers[0] == 0
        }
        let hasHRTF = objects > 0 && hub.value(tree.index(ListenerParameter.hrtf, listener)).text?.isEmpty == false
        let hasPlace = objects > 0 && isElsewhere(listener)
        let name = method(listener).name
        let ceiling = hub.value(tree.index(ProtectionParameter.ceiling)).numbers[0]
        let crossover = hub.value(tree.index(ArraySetting.crossover)).numbers[0]
        return "{\"type\":\"listener\",\"method\":\"\(name)\",\"gain\":\(number(.gain)),\"mute\":\(number(.mute) != 0),"
            + "\"earAzimuth\":\(number(.earAzimuth)),\"front\":\(number(.front)),"
            + "\"fixedMicrophone\":\(Int(clamping: number(.fixedMicrophone))),"
            + "\"racks\":\(hasEffects),\"hrtf\":\(hasHRTF),\"place\":\(hasPlace),\"crowded\":\(objects > Self.mostObjects),"
            + "\"ceiling\":\(ceiling),\"crossover\":\(crossover)}"
    }
}

/// Time at which the first of the latest pending changes was made.
final class ChangeTime {
    /// CLOCK_MONOTONIC.
    var nanoseconds: UInt64 = 0
}
