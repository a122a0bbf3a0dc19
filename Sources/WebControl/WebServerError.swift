/// Why the HTTP port could not be opened, in words, and what to do.
public enum WebServerError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: Int)
    case portNotAllowed(host: String, port: Int)
    case noSuchAddress(host: String)
    case other(host: String, port: Int, reason: String)

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "TCP port \(port) of \(host) is in use; choose another with --http-port, 0 for any free one"
        case .portNotAllowed(let host, let port):
            "TCP port \(port) of \(host) is not allowed for this user; choose one from 1024 with --http-port"
        case .noSuchAddress(let host): "this machine has no address \(host) to bind; choose another with --bind"
        case .other(let host, let port, let reason): "TCP port \(port) of \(host) cannot be opened: \(reason)"
        }
    }
}
