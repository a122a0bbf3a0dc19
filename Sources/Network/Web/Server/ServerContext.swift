internal import CFrameMask
internal import CWebSockets
internal import Glibc
internal import Trust

/// A context of libwebsockets: its protocols, its certificate and the headers of all responses.
final class ServerContext {
    /// Subprotocols of WebSockets. The library takes the first for clients that name none of them; the second is for clients that name one
    /// only to send a token.
    static let protocolNames = [REQUEST_PROTOCOL_PLAIN, REQUEST_PROTOCOL_OSCQUERY, Route.telemetryProtocol]
    /// Memory for the headers of a request, which the library keeps with a few bytes for each.
    private static let headerMemory = UInt16(REQUEST_GIVEN_MOST + 4096)

    let pointer: OpaquePointer
    private let vhost: OpaquePointer
    private let events: ServerEvents
    /// Used by libwebsockets as long as the context exists: the protocols, an end mark, and their names.
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let names: [UnsafeMutablePointer<CChar>?]
    private let headers: HeaderList
    private var isDestroyed = false

    /// - Parameter loop: of libev.
    init(_ options: WebServer.Options, on loop: OpaquePointer, _ events: ServerEvents) throws(WebServerError) {
        self.events = events
        headers = HeaderList(ResponseHeaders.everywhere)
        names = Self.protocolNames.map { strdup($0) }
        protocols = .allocate(capacity: names.count + 1)
        protocols.initialize(repeating: lws_protocols(), count: names.count + 1)
        for (index, name) in names.enumerated() {
            protocols[index].name = UnsafePointer(name)
            protocols[index].id = UInt32(index)
            protocols[index].callback = serverEventOccurred
            protocols[index].rx_buffer_size = 65_536
        }
        let made = Self.make(options, on: loop, UnsafePointer(protocols), name: names[0], headers, events)
        guard let made, let host = lws_get_vhost_by_name(made, names[0]) else {
            if let made { lws_context_destroy(made) }
            protocols.deallocate()
            for name in names { free(name) }
            throw .other(host: options.host, port: options.port, reason: LibraryLog.drain().joined(separator: "; "))
        }
        (pointer, vhost) = (made, host)
    }

    /// Serves an accepted connection; its descriptor is closed with it.
    func adopt(_ descriptor: Int32) {
        frame_mask_follow(descriptor)
        if lws_adopt_socket_vhost(vhost, descriptor) == nil { frame_mask_end(descriptor) }
    }

    /// Closes every connection; each is reported to the server a last time.
    func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        lws_context_destroy(pointer)
    }

    deinit {
        destroy()
        protocols.deallocate()
        for name in names { free(name) }
    }

    /// - Returns: nil when the process has no file descriptor left.
    func makeTimer(_ body: @escaping () -> Int?) -> LoopTimer? {
        names[0].flatMap { LoopTimer(vhost, protocol: $0, body) }
    }

    private static func make(
        _ options: WebServer.Options, on loop: OpaquePointer, _ protocols: UnsafePointer<lws_protocols>,
        name: UnsafePointer<CChar>?, _ headers: HeaderList, _ events: ServerEvents
    ) -> OpaquePointer? {
        var info = lws_context_creation_info()
        info.options = UInt64(LWS_SERVER_OPTION_LIBEV)
        info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        info.headers = headers.first
        info.protocols = protocols
        info.vhost_name = name
        info.user = Unmanaged.passUnretained(events).toOpaque()
        info.timeout_secs = UInt32(options.limits.requestSeconds)
        info.timeout_secs_ah_idle = UInt32(options.limits.requestSeconds)
        info.max_http_header_data = Self.headerMemory
        var loops: [UnsafeMutableRawPointer?] = [UnsafeMutableRawPointer(loop)]
        return withCertificate(options, &info) { info in
            loops.withUnsafeMutableBufferPointer { loops in
                info.foreign_loops = loops.baseAddress
                return lws_create_context(&info)
            }
        }
    }

    /// Suites of TLS 1.2 in OpenSSL's notation: forward secrecy and authenticated encryption only, hence none with CBC. Those of
    /// TLS 1.3 are all of this kind.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// Fills in the certificate while `body` makes the context. TLS and plain HTTP share the port: the first byte of a
    /// connection distinguishes them.
    private static func withCertificate(
        _ options: WebServer.Options, _ info: inout lws_context_creation_info,
        _ body: (inout lws_context_creation_info) -> OpaquePointer?
    ) -> OpaquePointer? {
        guard let certificate = options.access.certificate else { return body(&info) }
        info.options |= lws_tls_beside_plain
        return certificate.certificate.withCString { file in
            certificate.key.withCString { key in
                // WebSockets over HTTP/2 never get a window from this library (4.1).
                "http/1.1".withCString { protocols in
                    ciphers.withCString { ciphers in
                        info.ssl_cert_filepath = file
                        info.ssl_private_key_filepath = key
                        info.alpn = protocols
                        info.ssl_cipher_list = ciphers
                        info.ssl_options_set = lws_tls_options
                        return body(&info)
                    }
                }
            }
        }
    }
}

extension Route {
    /// The subprotocol of telemetry: the library has to know all of them from the start.
    package static let telemetryProtocol = REQUEST_PROTOCOL_TELEMETRY
}

/// Headers as a list of libwebsockets, which adds them to every response.
final class HeaderList {
    private let entries: UnsafeMutablePointer<lws_protocol_vhost_options>
    private let texts: [UnsafeMutablePointer<CChar>?]

    /// - Parameter headers: at least one; names end with a colon.
    init(_ headers: [(name: String, value: String)]) {
        let entries = UnsafeMutablePointer<lws_protocol_vhost_options>.allocate(capacity: headers.count)
        self.entries = entries
        texts = headers.flatMap { [strdup($0.name), strdup($0.value)] }
        for i in headers.indices {
            let next = i + 1 < headers.count ? UnsafePointer(entries + i + 1) : nil
            (entries + i).initialize(to: .init(next: next, options: nil, name: texts[2 * i], value: texts[2 * i + 1]))
        }
    }

    /// Valid as long as this object exists.
    var first: UnsafePointer<lws_protocol_vhost_options> { UnsafePointer(entries) }

    deinit {
        entries.deallocate()
        for text in texts { free(text) }
    }
}
