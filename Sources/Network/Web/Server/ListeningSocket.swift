internal import CWebSockets
internal import Glibc

/// A TCP socket that listens. libwebsockets' own reports neither the reason of a failure nor a lack of descriptors.
struct ListeningSocket {
    let descriptor: Int32
    /// The bound port: the requested one, or a free one.
    let port: Int

    /// - Parameters:
    ///   - host: a name or an address; `::` takes IPv4 as well. A name with both kinds of address is bound to the IPv4 one.
    ///   - port: 0 takes any free one.
    init(host: String, port: Int) throws(WebServerError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = found else { throw .noSuchAddress(host: host) }
        defer { freeaddrinfo(found) }
        let all = Array(sequence(first: first) { $0.pointee.ai_next })
        let address = (all.first { $0.pointee.ai_family == AF_INET } ?? first).pointee
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { throw Self.error(errno, host, port) }
        Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.ai_family == AF_INET6 { Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1) }
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Self.error(number, host, port)
        }
        self.port = Self.port(of: descriptor)
    }

    func close() { Glibc.close(descriptor) }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            let result = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            precondition(result == 0, "a bound socket has an address")
            // The port is at the same place for IPv4 and IPv6.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
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
