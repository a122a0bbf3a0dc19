/// Why the OSC port could not be opened, in words, and what to do.
public enum OSCReceiverError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: UInt16)
    case portNotAllowed(host: String, port: UInt16)
    case noSuchAddress(host: String)
    case tracker(name: String, port: UInt16, reason: String)
    case tooManyTrackers(most: Int)
    case noDestination(host: String, port: UInt16, reason: String)
    case other(host: String, port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "UDP port \(port) of \(host) is in use; choose another with --osc-port, 0 for any free one"
        case .portNotAllowed(let host, let port):
            "UDP port \(port) of \(host) is not allowed for this user; choose one from 1024 with --osc-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another with --bind"
        case .tracker(let name, let port, let reason):
            "tracker \(name): UDP port \(port) \(reason); name another with --tracker \(name):PORT"
        case .tooManyTrackers(let most): "at most \(most) trackers have a port of their own"
        case .noDestination(let host, let port, let reason):
            "nothing can be sent to UDP port \(port) of \(host): \(reason); is the name right?"
        case .other(let host, let port, let reason): "UDP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }

    /// What is the matter with the port, without it and without advice.
    var reason: String {
        switch self {
        case .portInUse: "is in use"
        case .portNotAllowed: "is not allowed for this user"
        case .noSuchAddress(let host): "has no address \(host) on this machine"
        case .other(_, _, let reason), .tracker(_, _, let reason), .noDestination(_, _, let reason): "cannot be opened: \(reason)"
        case .tooManyTrackers: "is one too many"
        }
    }
}
