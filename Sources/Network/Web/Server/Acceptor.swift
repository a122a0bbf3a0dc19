internal import CEventLoop
internal import CWebSockets
internal import Glibc

/// Accepts connections on the loop, and passes them on while the process has free descriptors.
///
/// Further connections are answered with 503. When many of them arrive, accepting pauses, so that attempts cost next to nothing.
final class Acceptor {
    /// Connections that are passed on before the loop serves something else.
    private static let mostAccepted = 64
    /// Connections that are refused before a pause.
    private static let mostRefused = 128
    /// Length of a pause in microseconds.
    private static let pause = 100_000

    /// Decisions about connections, and notices of refusals.
    struct Handlers {
        /// Reason to refuse a connection from an address; nil to admit it.
        let refusal: (_ address: String) -> String?
        /// Takes the descriptor of an accepted connection.
        let adopt: (_ descriptor: Int32) -> Void
        /// Called when connections are refused because the process has no descriptor left.
        let exhausted: (_ limit: Int) -> Void
    }

    /// Connections refused since the start.
    private(set) var refused = 0
    private let socket: ListeningSocket
    private let loop: OpaquePointer
    private let handlers: Handlers
    /// Ends a pause.
    var resume: LoopTimer?
    /// Descriptors of the process.
    private let limit: Int
    /// Spare descriptor, which is closed to accept, answer and close a connection when the process has no other.
    private var reserve = Acceptor.openReserve()
    private let watcher = UnsafeMutablePointer<ev_io>.allocate(capacity: 1)

    /// - Parameters:
    ///   - socket: closed together with this object.
    ///   - loop: of libev.
    init(_ socket: ListeningSocket, on loop: OpaquePointer, _ handlers: Handlers) {
        self.socket = socket
        self.loop = loop
        self.handlers = handlers
        var bounds = rlimit()
        limit = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bounds) == 0 ? Int(clamping: bounds.rlim_cur) : 1024
        let owner = Unmanaged.passUnretained(self).toOpaque()
        // SAFETY: the watcher is stopped before this object is freed.
        ev_io_prepare(
            watcher, { _, watcher, _ in Unmanaged<Acceptor>.fromOpaque(watcher!.pointee.data).takeUnretainedValue().acceptWaiting() },
            socket.descriptor, owner)
    }

    deinit {
        stop()
        watcher.deallocate()
        socket.close()
        if reserve >= 0 { close(reserve) }
    }

    func start() { ev_io_start(loop, watcher) }

    func stop() { ev_io_stop(loop, watcher) }

    /// Descriptors from this number on are for files and other sockets, not for connections.
    private var firstSpare: Int { limit - min(64, limit / 4) }

    private func acceptWaiting() {
        var (accepted, turnedAway) = (0, 0)
        while accepted < Self.mostAccepted, turnedAway < Self.mostRefused {
            guard let (connection, address) = accept() else { return }
            if let reason = connection < firstSpare ? handlers.refusal(address) : exhausted() {
                refuse(connection, reason)
                turnedAway += 1
            } else {
                ListeningSocket.set(connection, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                handlers.adopt(connection)
                accepted += 1
            }
        }
        if turnedAway == Self.mostRefused { rest() }
    }

    private func exhausted() -> String {
        handlers.exhausted(limit)
        return "this server has reached its limit of connections; try again later"
    }

    /// Returns a waiting connection; nil when there is none, or none can be accepted for now.
    private func accept() -> (descriptor: Int32, address: String)? {
        while true {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let connection = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(socket.descriptor, $0, &length) }
            }
            if connection >= 0 { return (Self.prepared(connection), PeerName.text(storage, length)) }
            switch errno {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                useReserve()
                return nil
            default: return nil
            }
        }
    }

    /// Answers one connection without a free descriptor.
    private func useReserve() {
        if reserve >= 0 {
            close(reserve)
            let connection = Glibc.accept(socket.descriptor, nil, nil)
            if connection >= 0 { refuse(Self.prepared(connection), exhausted()) }
        }
        reserve = Self.openReserve()
        rest()
    }

    private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    /// Makes a connection non-blocking, and closes it in programs that this one starts.
    private static func prepared(_ connection: Int32) -> Int32 {
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }

    private func refuse(_ connection: Int32, _ reason: String) {
        refused += 1
        let answer = ResponseHeaders.refusal(reason)
        _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(connection, Int32(SHUT_WR))
        // Closing with unread bytes would reset the connection, and the answer would be lost.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { _ = recv(connection, $0.baseAddress, $0.count, 0) }
        close(connection)
    }

    /// Stops accepting for a while; the kernel keeps waiting connections.
    private func rest() {
        guard let resume else { return }
        stop()
        resume.arm(after: Self.pause)
    }
}

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
