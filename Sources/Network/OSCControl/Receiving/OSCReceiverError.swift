/// Failure to open a UDP port, with a description that contains a remedy.
public enum OSCReceiverError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: UInt16)
    case portNotAllowed(host: String, port: UInt16)
    case noSuchAddress(host: String)
    case tracker(name: String, port: UInt16, reason: String)
    case tooManyTrackers(most: Int)
    case noDestination(host: String, port: UInt16, reason: String)
    case noSingleHost(host: String)
    case other(host: String, port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "UDP port \(port) of \(host) is in use; choose another with --osc-port, 0 for any free one"
        case .portNotAllowed(let host, let port):
            "this user is not permitted to open UDP port \(port) of \(host); choose a port of 1024 or above with --osc-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another with --bind"
        case .tracker(let name, let port, let reason):
            "tracker \(name): UDP port \(port) \(reason); name another with --tracker \(name):PORT"
        case .tooManyTrackers(let most): "at most \(most) trackers can have a port of their own; detach one, or use the OSC port"
        case .noDestination(let host, let port, let reason):
            "cannot send to UDP port \(port) of \(host): \(reason); check the host name"
        case .noSingleHost(let host):
            "\(host) is the address of several hosts or of none (broadcast, multicast, 0.0.0.0); name one host"
        case .other(let host, let port, let reason): "UDP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }

    /// The reason alone, without the port and the remedy.
    var reason: String {
        switch self {
        case .portInUse: "is in use"
        case .portNotAllowed: "is not allowed for this user"
        case .noSuchAddress(let host): "has no address \(host) on this machine"
        case .other(_, _, let reason), .tracker(_, _, let reason), .noDestination(_, _, let reason): "cannot be opened: \(reason)"
        case .noSingleHost(let host): "cannot be sent to: \(host) is not one host"
        case .tooManyTrackers: "exceeds the number of trackers"
        }
    }
}
