/// Largest numbers of listeners of any engine.
public enum ListenerLimits {
    /// Listeners on a sound device.
    public static let wired = 64
    /// Listeners on the network.
    public static let network = 1024
    public static let all = wired + network
}
