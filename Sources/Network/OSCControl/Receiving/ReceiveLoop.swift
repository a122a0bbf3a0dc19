internal import CDatagram
internal import CRealtime
internal import Glibc
internal import Hub
internal import Pose
internal import Synchronization

/// Main loop of the pose thread: waits for datagrams on all ports, for held bundles to fall due, and for tracker timeouts.
// SAFETY: mutable state is used only by the thread in `run`; `commands` is for any thread, and `notify` is set before that thread starts.
final class ReceiveLoop: @unchecked Sendable {
    var notify: @Sendable () -> Void = {}
    let commands: TrackerCommandQueue
    /// Socket of the OSC port.
    private let socket: Int32
    private let wakeDescriptor: Int32
    private let isStopped = Atomic(false)
    private let admission: OSCAdmission
    private let counters: OSCCounters
    private var times: SenderTimes
    private var held = HeldMessages()
    private let heads: [ListenerHead]
    private let poses: PoseReader
    private var trackers: TrackerTable
    private var foreign: ForeignPoses?
    private var addresses = TrackerAddresses()
    private var gate: AddressGate
    private var control: ControlQueue
    /// Pause in microseconds during a flood, after which many messages are received at once. Delays poses by as much.
    private static let pause: UInt32 = 200

    /// Size of the largest possible datagram.
    private static let stride = 65_536
    private let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: stride * Int(DATAGRAM_BATCH), alignment: 64)
    /// SCHED_FIFO priority, below that of the audio thread.
    private static let priority: Int32 = 60

    /// Takes ownership of all descriptors.
    /// - Parameters:
    ///   - socket: socket of the OSC port.
    ///   - heads: one for each listener.
    ///   - foreign: recognises trackers on the OSC port.
    init(
        socket: Int32, wakeDescriptor: Int32, heads: [ListenerHead], foreign: ForeignPoses?,
        queue: consuming DatagramRing.Producer, counters: OSCCounters, admission: OSCAdmission,
        clocks: SenderClocks, filter: AddressFilter
    ) {
        self.socket = socket
        trackers = TrackerTable(besides: socket)
        self.heads = heads
        self.foreign = foreign
        self.wakeDescriptor = wakeDescriptor
        poses = PoseReader(heads)
        commands = TrackerCommandQueue(wakeDescriptor: wakeDescriptor)
        control = ControlQueue(queue, counters)
        self.counters = counters
        self.admission = admission
        times = SenderTimes(clocks)
        gate = AddressGate(filter)
    }

    deinit {
        applyCommands()
        trackers.closeAll()
        datagram_close(socket)
        datagram_close(wakeDescriptor)
        memory.deallocate()
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        datagram_wake(wakeDescriptor)
    }

    /// Sends a datagram from the OSC port, from any thread.
    /// - Returns: false when the datagram was not sent: the socket is full or the address is unreachable.
    func send(_ bytes: UnsafeRawBufferPointer, to address: NetworkAddress) -> Bool {
        var peer = datagram_peer(address)
        return datagram_send(socket, &peer, bytes.baseAddress, Int32(bytes.count)) == 0
    }

    func run() {
        _ = realtime_raise_priority(Self.priority)
        applyCommands()
        while !isStopped.load(ordering: .acquiring) {
            var timeout: Int64 = -1
            if let due = nextDue {
                let now = rt_now()
                timeout = due > now ? Int64(clamping: due - now) : 0
            }
            let sockets = trackers.sockets
            let ready = datagram_wait(sockets, Int32(sockets.count), wakeDescriptor, timeout)
            release()
            if ready > 0, ready & 1 != 0 {
                datagram_clear_wake(wakeDescriptor)
                // First, so that a manual change precedes tracker poses sent after it.
                applyCommands()
            }
            // The set of sockets has changed; wait again before receiving.
            if ready > 1, trackers.sockets == sockets {
                for i in sockets.indices where ready >> (i + 1) & 1 != 0 { receive(sockets[i], place: i) }
            }
            if control.takeNews() { notify() }
            // In a flood, waking up costs more than reading.
            if control.finishTurn(now: rt_now()) { usleep(Self.pause) }
        }
    }

    /// Time of the next action without a datagram, CLOCK_MONOTONIC nanoseconds.
    private var nextDue: UInt64? {
        [held.nextDue, foreign?.nextDue, trackers.nextDue].compactMap { $0 }.min()
    }

    private func applyCommands() {
        let now = rt_now()
        commands.handle { command in
            switch command {
            case .attach(let number, let feed, let socket, let onOSCPort):
                trackers.attach(number, feed, socket: socket, onOSCPort: onOSCPort)
                addresses.removeAll()
                if onOSCPort { foreign?.leave(feed.profile.name) }
            case .detach(let number):
                trackers.detach(number)
                addresses.removeAll()
            case .settings(let number, let settings): trackers.change(number) { $0.settings = settings }
            case .listener(let number, let index): trackers.change(number) { $0.turn(heads[index]) }
            case .pose(let number, let quaternion, let receiveTime):
                trackers.change(number) { note(poses: $0.take(quaternion, receiveTime: min(receiveTime, now))) }
            case .manual(let index, let quaternion): heads[index].noteManual(quaternion)
            case .front(let index, let yaw): heads[index].front = yaw
            case .hold(let message, let due, let owner):
                message.withUnsafeBytes { hold($0, until: due, now: now, from: .nowhere, owner: owner) }
            }
        }
    }

    /// - Parameter place: index of the socket among those waited for; the OSC port's is first.
    private func receive(_ socket: Int32, place: Int) {
        var datagrams = InlineArray<32, datagram>(repeating: .init())
        var span = datagrams.mutableSpan
        let count = span.withUnsafeMutableBufferPointer { places in
            Int(datagram_receive(socket, memory.baseAddress, Int32(Self.stride), places.baseAddress, DATAGRAM_BATCH))
        }
        guard count > 0 else { return }
        if place == 0 { control.isMoreWaiting = count == Int(DATAGRAM_BATCH) }
        let now = rt_now()
        times.refresh(now: now)
        gate.refresh()
        counters.datagramCount.add(count, ordering: .relaxed)
        for i in 0..<count {
            let sender = NetworkAddress(datagrams[i].peer)
            // Datagrams without a port come from a thread of this process.
            guard sender.port == 0 || admission.admits(sender) else {
                refuse(sender)
                continue
            }
            let start = i * Self.stride
            let bytes = UnsafeRawBufferPointer(rebasing: memory[start..<(start + Int(datagrams[i].length))])
            let receiveTime = times.received(realtime: datagrams[i].realtime, now: now)
            if place == 0 {
                handle(bytes, receiveTime: receiveTime, now: now, from: sender)
            } else {
                let taken = OSCPacket.timetag(bytes).map { times.sent($0, from: sender, receiveTime: receiveTime) } ?? 0
                note(poses: trackers.take(place: place, datagram: bytes, receiveTime: receiveTime, senderTime: taken))
            }
        }
    }

    /// Drops a datagram unread, and notifies the control thread the first time an address is refused.
    private func refuse(_ sender: NetworkAddress) {
        counters.strangerCount.add(1, ordering: .relaxed)
        if admission.noteStranger(sender) { control.noteNews() }
    }

    /// Handles each message of a packet. A bundle is accepted or refused as a whole.
    private func handle(_ packet: UnsafeRawBufferPointer, receiveTime: UInt64, now: UInt64, from sender: NetworkAddress) {
        guard OSCPacket.isBundle(packet, 0..<packet.count) else {
            dispatch(packet, receiveTime: receiveTime, from: sender)
            return
        }
        guard let elements = try? OSCPacket.elements(packet) else {
            control.push(packet, receiveTime: receiveTime, from: sender)  // The dispatcher finds the same error and reports it.
            return
        }
        for element in elements {
            let bytes = UnsafeRawBufferPointer(rebasing: packet[element.range])
            let due = times.local(element.timetag, sender)
            if due <= now {
                let taken = times.sent(element.timetag, from: sender, receiveTime: receiveTime)
                dispatch(bytes, receiveTime: receiveTime, from: sender, senderTime: taken)
            } else {
                hold(bytes, until: due, now: now, from: sender)
            }
        }
    }

    private func hold(
        _ message: UnsafeRawBufferPointer, until due: UInt64, now: UInt64, from sender: NetworkAddress, owner: NetworkAddress? = nil
    ) {
        for refusal in held.hold(message, until: due, now: now, from: sender, owner: owner) {
            // First, so that the control thread finds it when it sees the count.
            counters.timedRefusals.note(refusal)
            counters.refusedCount.add(1, ordering: .relaxed)
            control.noteNews()
        }
    }

    private func note(poses: Int) { counters.poseCount.add(poses, ordering: .relaxed) }

    /// Handles held messages that are due. Their receive time is the due time, so that holding does not count as latency.
    private func release() {
        let now = rt_now()
        while let message = held.take(now: now) {
            message.bytes.withUnsafeBytes { bytes in
                if message.isEarly {
                    // A time in the future marks an announcement for the control thread.
                    control.push(bytes, receiveTime: message.due, from: message.sender)
                } else {
                    dispatch(bytes, receiveTime: message.due, from: message.sender)
                }
            }
        }
        if let poses = foreign?.release(now: now) { note(poses: poses) }
        note(poses: trackers.release(now: now))
    }

    private func dispatch(
        _ message: UnsafeRawBufferPointer, receiveTime: UInt64, from sender: NetworkAddress, senderTime: UInt64 = 0
    ) {
        if poses.take(message, receiveTime: receiveTime, senderTime: senderTime) {
            note(poses: 1)
        } else if !isWorthHandling(message) {
            control.drop()
        } else if let poses = track(message, receiveTime, senderTime) {
            note(poses: poses)
        } else {
            control.push(message, receiveTime: receiveTime, from: sender)
        }
    }

    /// Returns false for messages to unknown addresses that arrive too fast; poses would queue behind them otherwise.
    private func isWorthHandling(_ message: UnsafeRawBufferPointer) -> Bool {
        guard let end = OSCPacket.end(of: message) else { return true }
        let address = UnsafeRawBufferPointer(rebasing: message[..<end])
        return addresses.isTracker(address) || gate.admits(address)
    }

    /// - Returns: the number of poses sent for a tracker's message; nil for other messages.
    private func track(_ message: UnsafeRawBufferPointer, _ receiveTime: UInt64, _ senderTime: UInt64) -> Int? {
        guard let end = OSCPacket.end(of: message) else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: message[..<end])
        if addresses.isOther(bytes) || !OSCPacket.hasArguments(message, behind: end) { return nil }
        let address = String(decoding: bytes, as: UTF8.self)
        let isTracker = trackers.knows(address) || foreign?.knows(address) == true
        addresses.note(bytes, isTracker: isTracker)
        guard isTracker else { return nil }
        return trackers.take(address, message, receiveTime: receiveTime, senderTime: senderTime)
            ?? foreign?.take(address, message, receiveTime: receiveTime, senderTime: senderTime)
    }
}
