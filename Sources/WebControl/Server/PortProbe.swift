internal import Glibc

/// Tests whether a TCP port can be bound. libwebsockets reports a failure without its reason.
enum PortProbe {
    static func check(host: String, port: Int) throws(WebServerError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else {
            throw .noSuchAddress(host: host)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw error(errno, host, port) }
        defer { close(descriptor) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
            throw error(errno, host, port)
        }
    }

    private static func error(_ number: Int32, _ host: String, _ port: Int) -> WebServerError {
        switch number {
        case EADDRINUSE: .portInUse(host: host, port: port)
        case EACCES: .portNotAllowed(host: host, port: port)
        case EADDRNOTAVAIL: .noSuchAddress(host: host)
        default: .other(host: host, port: port, reason: String(cString: strerror(number)))
        }
    }
}
