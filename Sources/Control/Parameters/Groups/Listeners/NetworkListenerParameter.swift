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
                "Adds a network listener with this name and the lowest free "
                    + "number; sessions keep only named ones.", access: .write, role: .listenerAdd
            ).limited(to: 60)
        case .remove:
            .init(
                title: "Remove listener", summary: "Removes the network listener with this number.", kind: .integer,
                range: 1...Float(ListenerLimits.all), initial: .number(1), access: .write, role: .listenerRemove)
        case .keep:
            .init(
                title: "Keep time",
                summary: "Time for which a listener without a name is kept, without being rendered, after its client has left; a client "
                    + "that returns with its token gets it back.",
                unit: .second, range: 0...86_400, initial: .number(60), role: .listenerKeep
            ).kept(.session)
        case .count: .counter("Listeners", "Number of wired and network listeners.", role: .listenerCount)
        case .wired:
            .counter(
                "Wired listeners", "Number of listeners of the sound device, which are permanent and have the lowest numbers.",
                role: .listenerWired)
        case .most: .counter("Most listeners", "Maximum number of listeners, as chosen at the start.", role: .listenerMost)
        case .lost:
            .counter(
                "Lost blocks", "Sound that network listeners have missed since the start because rendering them had fallen behind.",
                role: .listenerLost)
        case .load: .gauge("Network listener load", 0...1, "Load of the busiest worker.", role: .listenerLoad)
        }
    }
}

/// Largest numbers of listeners of any engine.
public enum ListenerLimits {
    /// Listeners on a sound device.
    public static let wired = 64
    /// Listeners on the network.
    public static let network = 1024
    public static let all = wired + network
}
