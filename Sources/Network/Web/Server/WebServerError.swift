public import Threads

/// Reason why the web server cannot start, and the remedy.
public enum WebServerError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: Int)
    case portNotAllowed(host: String, port: Int)
    case noSuchAddress(host: String)
    case thread(ThreadError)
    case descriptors
    case other(host: String, port: Int, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "TCP port \(port) of \(host) is already in use; choose another one with --http-port, or 0 for any free port"
        case .portNotAllowed(let host, let port):
            "TCP port \(port) of \(host) is reserved for the administrator; choose a port of 1024 or higher with --http-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another one with --bind"
        case .thread(let error): "\(error)"
        case .descriptors:
            "the program may open too few files to run; raise the limit (ulimit -n, or LimitNOFILE of its service) to 64 or more"
        case .other(let host, let port, let reason): "TCP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }
}
