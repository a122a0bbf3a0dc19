public import Crossing
internal import Streaming
internal import Web

/// The engine as a peer: it receives only sound, as far as the senders permit it.
extension CameraService {
    /// Names of all peers that offer sound, as objects name them.
    public var soundNames: [String] {
        var names: [String] = []
        for entry in relay.roster where entry.offer?.hasSound == true && !names.contains(entry.name) { names.append(entry.name) }
        return names
    }

    /// Receives the sound of the peer with a name, present or future, for an object.
    ///
    /// - Parameters:
    ///   - rate, period: frames per second of the engine, and frames that it takes at once.
    ///   - floor: milliseconds of sound that have to wait for the engine.
    ///   - deliver: takes one channel at the engine's rate, and whether it may be heard.
    public func receiveSound(
        of name: String, for object: Int, rate: Int, period: Int, floor: Double,
        deliver: (consuming FrameRing.Consumer, consuming Switch.Realtime) -> Void
    ) {
        receivers.receive(name, for: object, rate: rate, period: period, floor: floor, deliver: deliver)
        settle()
    }

    /// Ends receiving for an object.
    public func releaseSound(of object: Int) {
        receivers.release(object)
        settle()
    }

    /// State of an object's sound, for a person to read.
    public func soundState(of object: Int) -> String { receivers.requests[object]?.words ?? "" }

    /// Makes the engine a peer.
    func joinReceivers() {
        relay.join(
            CameraReceivers.peer, identity: CameraReceivers.identity, isPaired: true, name: CameraReceivers.name, decodes: [],
            takesPictures: false)
    }

    /// The peer that a name stands for: a paired one if a paired client has this name, since others can choose theirs; otherwise the one
    /// that is heard or asked already, or the first that has not refused.
    private func sender(for request: MicrophoneRequest, _ offering: [RosterEntry], reserved: Set<String>) -> Int? {
        let named = offering.filter { $0.name == request.name }
        if let paired = named.first(where: \.isPaired) { return paired.peer }
        guard !reserved.contains(request.name) else { return nil }
        let refuser = request.refusal?.sender
        if let present = request.sender, present != refuser, named.contains(where: { $0.peer == present }) { return present }
        return (named.first { $0.peer != refuser } ?? named.first)?.peer
    }

    /// Begins and ends the engine's links as its objects require.
    func connectEars() {
        guard receivers.isDue else { return }
        receivers.isDue = false
        guard !receivers.requests.isEmpty || !receivers.links.isEmpty else { return }
        let (offering, reserved) = (relay.roster.filter { $0.offer?.hasSound == true }, Set(names().values))
        for request in receivers.requests.values {
            guard let sender = sender(for: request, offering, reserved: reserved) else {
                (request.sender, request.refusal, request.state) = (nil, nil, .away)
                continue
            }
            if request.refusal?.sender == sender { continue }
            if request.sender != sender, let link = receivers.links[sender] {
                (request.sender, request.state) = (sender, link.isOpen ? .heard : .asking)
            }
            if receivers.links[sender] == nil { ask(sender, request) }
        }
        let wanted = Set(receivers.requests.values.compactMap(\.sender))
        for (sender, link) in receivers.links where !wanted.contains(sender) {
            receivers.links[sender] = nil
            try? relay.stop(CameraReceivers.peer, link: link.number)
        }
    }

    private func ask(_ sender: Int, _ request: MicrophoneRequest) {
        request.sender = sender
        do throws(RelayRefusal) {
            switch try relay.start(CameraReceivers.peer, from: sender, now: now) {
            case .opened(let link):
                receivers.links[sender] = .init(number: link, isOpen: true)
                request.state = .heard
            case .asked(let link):
                receivers.links[sender] = .init(number: link, isOpen: false)
                request.state = .asking
            }
        } catch { (request.sender, request.state) = (nil, .refused(error.description)) }
    }

    /// Notes a link of the engine that was opened, or about which the sender was asked.
    func noteEars(_ link: Int, sender: Int, isOpen: Bool) {
        var known = receivers.links[sender] ?? .init(number: link, isOpen: isOpen)
        known.isOpen = isOpen
        receivers.note(known, from: sender, now: now)
    }

    func endEars(_ sender: Int, _ reason: RelayEnd) {
        let name = relay.roster.first { $0.peer == sender }?.name ?? "the sender"
        receivers.note(nil, from: sender, end: reason, name: name, now: now)
    }

    /// Takes the sound that has arrived.
    func takeSound() {
        let now = now
        while let frame = relay.take(for: CameraReceivers.peer, now: now) {
            let header = frame.bytes(from: RelayFrame.senderOffset)
            func number(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(header[offset + $1]) << (8 * $1) } }
            let sender = Int(number(0))
            guard var link = receivers.links[sender] else { continue }
            link.arrived += 1
            receivers.links[sender] = link
            try? relay.note(CameraReceivers.peer, RelayReceipt(link: link.number, frames: link.arrived), now: now)
            let packet = Array(header.dropFirst(RelayFrame.headerBytes - RelayFrame.senderOffset))
            receivers.take(packet, number: number(4), from: sender, now: now)
        }
    }
}
