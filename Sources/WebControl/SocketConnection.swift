internal import CRealtime
internal import CWebSockets
internal import Glibc
internal import Hub

/// One open WebSocket: puts fragments together and writes one frame at a time.
final class SocketConnection {
    /// Longer messages end the connection, with status 1009.
    static let longestMessage = 65_536
    let client: any SocketClient
    private let wsi: OpaquePointer
    /// Rises with every connection of this run.
    let id: Int
    let address: String
    /// The paired device that it belongs to.
    let device: String?
    /// CLOCK_MONOTONIC nanoseconds.
    private let opened = rt_now()
    private var sent = 0
    private let rate: Int
    private var message: [UInt8] = []
    private var ending: EndStatus?
    private var budget: MessageBudget
    private var frameRate: FrameRate
    /// Milliseconds.
    private var roundTrip: Double?
    private var isPingDue = false
    private var lastPing: UInt64 = 0
    /// When the other end last answered a ping, or came.
    private var lastPong = rt_now()
    /// Nanoseconds from ping to ping, and without a pong until the other end counts as gone.
    private static let pingInterval: UInt64 = 5_000_000_000
    private static let patience: UInt64 = 30_000_000_000
    /// Bytes that were sent without waiting since the kernel was asked how many it still keeps.
    private var unasked = 0
    private static let patientBytes: (unasked: Int, kept: Int32) = (8192, 16_384)
    /// When the client was last told that it is too fast, CLOCK_MONOTONIC nanoseconds.
    private var told: UInt64 = 0

    /// - Parameter rate: messages a second that the client may send.
    init(_ wsi: OpaquePointer, _ client: any SocketClient, id: Int, device: String?, rate: Int) {
        self.id = id
        self.device = device
        address = PeerName.of(wsi)
        self.wsi = wsi
        self.client = client
        self.rate = rate
        budget = MessageBudget(rate: rate, now: rt_now())
        frameRate = FrameRate(now: rt_now())
        var size = client.sendBuffer
        setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(self).toOpaque())
        if client.hasMore { lws_callback_on_writable(wsi) }
    }

    /// The one that a connection of the library belongs to: what is written a thousand times a tick is not looked up.
    static func of(_ wsi: OpaquePointer) -> SocketConnection? {
        lws_get_opaque_user_data(wsi).map { Unmanaged<SocketConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Where it and the library's part of it begin: addresses for fetching ahead, and for nothing else.
    var memory: (connection: UnsafeRawPointer, wsi: UnsafeRawPointer) {
        // SAFETY: nobody reads or writes through it; fetching ahead takes any address.
        (UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()), UnsafeRawPointer(wsi))
    }

    /// Ends the connection as soon as the socket has room for saying so, and within two seconds when it never has.
    func end(_ status: EndStatus) {
        ending = status
        lws_callback_on_writable(wsi)
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
    }

    /// - Returns: false when the connection has to end.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard ending == nil else { return true }
        // What a frame announces counts as if it were here: nobody waits for a gigabyte.
        let coming = min(lws_remaining_packet_payload(wsi), Self.longestMessage + 1)
        guard message.count + bytes.count + coming <= Self.longestMessage else {
            lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, nil, 0)
            return false
        }
        message.append(contentsOf: bytes)
        guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return true }
        let whole = message
        message.removeAll(keepingCapacity: true)
        let now = rt_now()
        if budget.take(1 + whole.count / 1024, now: now) {
            client.receive(whole, isText: lws_frame_is_binary(wsi) == 0)
        } else if now - told > 1_000_000_000 {
            told = now
            client.tell("more than \(rate) messages a second; some were not read")
        }
        return true
    }

    /// - Returns: false when the connection is gone.
    func write() -> Bool {
        if let ending {
            lws_close_reason(wsi, lws_close_status(rawValue: ending.rawValue), nil, 0)
            return false
        }
        if isPingDue { return ping() }
        guard let frame = client.nextFrame() else { return true }
        guard frame.write(to: wsi) else { return false }
        sent += 1
        if client.hasMore { lws_callback_on_writable(wsi) }
        return true
    }

    /// Writes a frame without waiting for the socket to be writeable, which spares the loop a round for each of a thousand.
    /// What the socket does not take of it the library keeps, and asks to go on.
    /// - Returns: false when the library still keeps of an earlier one, the kernel much, or the connection ends.
    func send(_ frame: WireFrame) -> Bool {
        guard ending == nil, lws_partial_buffered(wsi) == 0, isFlowing() else { return false }
        sent += 1
        unasked += frame.count
        // Nobody closes a connection out of its own callbacks.
        if !frame.write(to: wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, lws_kill_async) }
        return true
    }

    /// Whether the other end takes what it is sent. The kernel lets the last packet of a queue grow to 64 KiB, whatever its
    /// buffer's size; who waits for the socket to be writeable stays far below.
    private func isFlowing() -> Bool {
        guard unasked >= Self.patientBytes.unasked else { return true }
        var kept: Int32 = 0
        // SAFETY: SIOCOUTQ, which goes by this name too, writes one int.
        let isTold = ioctl(lws_get_socket_fd(wsi), UInt(TIOCOUTQ), &kept) == 0
        if isTold && kept > Self.patientBytes.kept { return false }
        unasked = 0
        return true
    }

    /// Once a second: counts frames, asks for a sign of life, and ends what has given none for long.
    func census(now: UInt64) {
        frameRate.note(sent, now: now)
        if now - lastPong > Self.patience { return lws_set_timeout(wsi, PENDING_TIMEOUT_WS_PONG_CHECK_GET_PONG, lws_kill_async) }
        guard now - lastPing >= Self.pingInterval, !isPingDue else { return }
        isPingDue = true
        lws_callback_on_writable(wsi)
    }

    /// A ping that carries its own time; one frame a callback is all that the library takes.
    private func ping() -> Bool {
        isPingDue = false
        lastPing = rt_now()
        let frame = WireFrame(binary: withUnsafeBytes(of: lastPing.littleEndian) { Array($0) })
        guard frame.write(to: wsi, as: LWS_WRITE_PING) else { return false }
        if client.hasMore { lws_callback_on_writable(wsi) }
        return true
    }

    /// What came back for a ping; a pong that nobody asked for says nothing about time.
    func receivePong(_ payload: UnsafeRawBufferPointer) {
        let now = rt_now()
        lastPong = now
        guard payload.count == 8, lastPing > 0, UInt64(littleEndian: payload.loadUnaligned(as: UInt64.self)) == lastPing
        else { return }
        roundTrip = (Double(now - lastPing) / 1e4).rounded() / 100
    }

    func reading(device name: String?) -> ClientReading {
        ClientReading(
            id: id, kind: client.kind, address: address, device: name,
            seconds: Int((rt_now() - opened) / 1_000_000_000), sent: sent, dropped: client.dropped, rate: frameRate.value,
            roundTrip: roundTrip)
    }
}
