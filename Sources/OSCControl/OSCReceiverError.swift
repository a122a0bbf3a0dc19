/// Why the OSC port could not be opened, in words, and what to do.
public enum OSCReceiverError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: UInt16)
    case portNotAllowed(host: String, port: UInt16)
    case noSuchAddress(host: String)
    case other(host: String, port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "UDP port \(port) of \(host) is in use; choose another with --osc-port, 0 for any free one"
        case .portNotAllowed(let host, let port):
            "UDP port \(port) of \(host) is not allowed for this user; choose one from 1024 with --osc-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another with --bind"
        case .other(let host, let port, let reason): "UDP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }
}
