internal import CRealtime
internal import CWebSockets
internal import Glibc
internal import Hub

/// One open WebSocket: joins the fragments of messages, and writes one frame at a time.
package final class SocketConnection {
    /// Nanoseconds between pings, without a pong until the connection is ended, and without an answer to a Close frame until it is ended.
    private static let pingInterval: UInt64 = 5_000_000_000
    private static let pongTimeout: UInt64 = 30_000_000_000
    private static let closeTimeout: UInt64 = 5_000_000_000
    /// Bytes that are sent between two measurements of the kernel's queue, and bytes that may wait in it.
    private static let flow: (unchecked: Int, waiting: Int32) = (8192, 16_384)

    let client: any SocketClient
    private let wsi: OpaquePointer
    /// Rises with every connection of this run.
    let id: Int
    let address: String
    /// Id of the paired client that opened the connection.
    let pairedClient: String?
    /// CLOCK_MONOTONIC nanoseconds.
    private let opened = rt_now()
    private var sent = 0
    private let rate: Int
    /// Bytes of the longest message that the client may send; longer ones end the connection, with status 1009.
    private let longestMessage: Int
    private var message: [UInt8] = []
    private var ending: EndStatus?
    /// Time at which a Close frame was handed to the library, after which nothing may be sent. If a later callback refused to write, the
    /// library would not await the client's answer but close at once, and where the client has sent something meanwhile, the kernel would
    /// discard the status.
    private var closing: UInt64?
    private var budget: MessageBudget
    private var frameRate: FrameRate
    /// Milliseconds.
    private var roundTrip: Double?
    private var isPingDue = false
    private var lastPing: UInt64 = 0
    /// Times of the pings that have not been answered, the oldest first; few, since the connection ends without answers.
    private var pings: [UInt64] = []
    /// Time of the last pong that answers one of them, or of the connection's beginning.
    private var lastPong = rt_now()
    /// Bytes that were sent without waiting since the kernel's queue was last measured.
    private var unchecked = 0
    /// Time of the last warning to the client for sending too much, CLOCK_MONOTONIC nanoseconds.
    private var lastWarning: UInt64 = 0

    /// - Parameters:
    ///   - rate: messages per second that the client may send.
    ///   - longestMessage: bytes that one of them may have.
    init(_ wsi: OpaquePointer, _ client: any SocketClient, id: Int, pairedClient: String?, rate: Int, longestMessage: Int) {
        self.longestMessage = longestMessage
        self.id = id
        self.pairedClient = pairedClient
        address = PeerName.of(wsi)
        self.wsi = wsi
        self.client = client
        self.rate = rate
        budget = MessageBudget(rate: rate, now: rt_now())
        frameRate = FrameRate(now: rt_now())
        var size = client.sendBuffer
        setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(self).toOpaque())
        client.open(self)
        if client.hasMore { lws_callback_on_writable(wsi) }
    }

    /// The connection that belongs to a connection of the library, without a search: frames go to a thousand of them per tick.
    static func of(_ wsi: OpaquePointer) -> SocketConnection? {
        lws_get_opaque_user_data(wsi).map { Unmanaged<SocketConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Undoes the assignment that ``of(_:)`` uses.
    static func forget(_ wsi: OpaquePointer) { lws_set_opaque_user_data(wsi, nil) }

    /// Addresses of this object and of the library's part, for prefetching only.
    package var memory: (connection: UnsafeRawPointer, wsi: UnsafeRawPointer) {
        // SAFETY: nothing is read or written through them; a prefetch accepts any address.
        (UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()), UnsafeRawPointer(wsi))
    }

    /// Ends the connection as soon as the socket has room for the status, and within two seconds when it never has.
    package func end(_ status: EndStatus) {
        ending = status
        lws_callback_on_writable(wsi)
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
    }

    /// - Returns: false when the connection has to end.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard ending == nil, closing == nil else { return true }
        // The announced length counts at once, so that a gigabyte is refused before it arrives.
        let coming = min(lws_remaining_packet_payload(wsi), longestMessage + 1)
        guard message.count + bytes.count + coming <= longestMessage else {
            client.refuseLongMessage()
            closing = rt_now()
            var reason = Array("a message has at most \(longestMessage) bytes".utf8)
            lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, &reason, reason.count)
            return false
        }
        message.append(contentsOf: bytes)
        guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return true }
        let whole = message
        message.removeAll(keepingCapacity: true)
        let isText = lws_frame_is_binary(wsi) == 0
        // The library's own check (4.1) also takes the payload of a pong for text.
        if isText, String(validating: whole, as: UTF8.self) == nil {
            closing = rt_now()
            lws_close_reason(wsi, LWS_CLOSE_STATUS_INVALID_PAYLOAD, nil, 0)
            return false
        }
        let now = rt_now()
        if budget.spend(1 + whole.count / 1024, now: now) {
            client.receive(whole, isText: isText)
        } else if now - lastWarning > 1_000_000_000 {
            lastWarning = now
            client.notify("more than \(rate) messages per second were received; some were dropped")
        }
        return true
    }

    /// - Returns: false when the connection is gone.
    func write() -> Bool {
        guard closing == nil else { return true }
        if let ending {
            var reason = Array(ending.reason.utf8)
            closing = rt_now()
            lws_close_reason(wsi, lws_close_status(rawValue: ending.rawValue), &reason, reason.count)
            return false
        }
        if isPingDue { return ping() }
        guard let frame = client.nextFrame() else { return true }
        guard frame.write(to: wsi) else { return false }
        sent += 1
        if client.hasMore { lws_callback_on_writable(wsi) }
        return true
    }

    /// Writes a frame without waiting for the socket to be writeable, which saves the loop one round per client. The library keeps bytes
    /// that the socket does not accept, and sends them later.
    /// - Returns: false when the library still keeps part of an earlier frame, the kernel keeps too much, or the connection
    ///   is about to end.
    package func send(_ frame: WireFrame) -> Bool {
        guard isReady, isFlowing() else { return false }
        unchecked += frame.count
        write(frame)
        return true
    }

    /// Whether a frame can be written now: the library keeps no part of an earlier one, and the connection is not about to end.
    package var isReady: Bool { ending == nil && closing == nil && lws_partial_buffered(wsi) == 0 }

    /// Writes a frame; to be called when ``isReady``.
    package func write(_ frame: WireFrame) {
        sent += 1
        // A connection cannot be closed outside of its own callbacks.
        if !frame.write(to: wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, lws_kill_async) }
    }

    /// Bytes that were sent and that the other end has not confirmed.
    package var unconfirmed: Int32 {
        var waiting: Int32 = 0
        // SAFETY: SIOCOUTQ, which has the same number, writes one int.
        return ioctl(lws_get_socket_fd(wsi), UInt(TIOCOUTQ), &waiting) == 0 ? waiting : 0
    }

    /// Makes the kernel gather written bytes into few segments, or send the gathered ones.
    package func gather(_ isOn: Bool) {
        var value: Int32 = isOn ? 1 : 0
        setsockopt(lws_get_socket_fd(wsi), Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the client keeps up with receiving. The kernel lets the last packet of a queue grow to 64 KiB, whatever the size of its
    /// buffer; a client that waits for the socket to be writeable stays far below that.
    private func isFlowing() -> Bool {
        guard unchecked >= Self.flow.unchecked else { return true }
        if unconfirmed > Self.flow.waiting { return false }
        unchecked = 0
        return true
    }

    /// Once a second: counts frames, requests pings, and ends the connection when pongs or the answer to a Close frame are missing.
    func check(now: UInt64) {
        frameRate.note(sent, now: now)
        if now - lastPong > Self.pongTimeout || closing.map({ now - $0 > Self.closeTimeout }) == true {
            return lws_set_timeout(wsi, PENDING_TIMEOUT_WS_PONG_CHECK_GET_PONG, lws_kill_async)
        }
        guard now - lastPing >= Self.pingInterval, !isPingDue else { return }
        isPingDue = true
        lws_callback_on_writable(wsi)
    }

    /// Writes a ping that contains its own time. The library accepts one frame per callback.
    private func ping() -> Bool {
        isPingDue = false
        lastPing = rt_now()
        pings.append(lastPing)
        let frame = WireFrame(binary: withUnsafeBytes(of: lastPing.littleEndian) { Array($0) })
        guard frame.write(to: wsi, as: LWS_WRITE_PING) else { return false }
        if client.hasMore { lws_callback_on_writable(wsi) }
        return true
    }

    /// Measures the round trip; a pong that answers no ping of this connection has no known time, and does not show that pings arrive.
    func receivePong(_ payload: UnsafeRawBufferPointer) {
        guard payload.count == 8 else { return }
        let sent = UInt64(littleEndian: payload.loadUnaligned(as: UInt64.self))
        guard let index = pings.firstIndex(of: sent) else { return }
        pings.removeFirst(index + 1)
        let now = rt_now()
        lastPong = now
        // An answer to an earlier one has waited for the connection.
        if pings.isEmpty { roundTrip = (Double(now - sent) / 1e4).rounded() / 100 }
    }

    /// - Parameter name: of the paired client.
    func reading(name: String?) -> ClientReading {
        ClientReading(
            id: id, kind: client.kind, address: address, name: name,
            seconds: Int((rt_now() - opened) / 1_000_000_000), sent: sent, dropped: client.dropped, rate: frameRate.value,
            roundTrip: roundTrip)
    }
}
