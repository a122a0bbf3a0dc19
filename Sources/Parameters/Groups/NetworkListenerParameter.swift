/// Listeners on the network: commands to add and remove them, and counts.
public enum NetworkListenerParameter: Int, ParameterGroup {
    case add, remove, keep, count, wired, most, lost, load

    public static let container = "/listener"
    public static let summary = "Heads in the scene: those of the sound device, and those on the network, which come and go."
    public static var topic: Topic? { .head }

    public var spec: ParameterSpec {
        switch self {
        case .add:
            .text(
                "Add listener",
                "On the network, with the lowest free number, under this name; one without a name is not kept by "
                    + "sessions.", access: .write, role: .listenerAdd
            ).limited(to: 60)
        case .remove:
            .init(
                title: "Remove listener", summary: "The one on the network that has this number.", kind: .integer,
                range: 1...2048, initial: .number(1), access: .write, role: .listenerRemove)
        case .keep:
            .init(
                title: "Keep time",
                summary: "Time for which a listener without a name is kept after its client has left: a client that returns with its "
                    + "token finds it as it was. Meanwhile it is not rendered.",
                unit: .second, range: 0...86_400, initial: .number(60), role: .listenerKeep
            ).kept(.session)
        case .count: .counter("Listeners", "Those of the device, and those on the network.", role: .listenerCount)
        case .wired:
            .counter(
                "Wired listeners", "Number of listeners of the sound device, which have the lowest numbers and stay.", role: .listenerWired)
        case .most: .counter("Most listeners", "Largest number of listeners, as chosen at the start.", role: .listenerMost)
        case .lost:
            .counter(
                "Lost blocks", "Sound that network listeners have missed since the start because rendering them had fallen behind.",
                role: .listenerLost)
        case .load: .gauge("Network listener load", 0...1, "Busiest worker's share of its time.", role: .listenerLoad)
        }
    }
}
