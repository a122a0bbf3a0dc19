public import Crossing
internal import Streaming

/// The engine among the peers: it receives sound only, as far as the senders permit it.
extension CameraService {
    /// Names of all who offer sound, as objects name them.
    public var soundNames: [String] {
        var names: [String] = []
        for entry in relay.roster where entry.offer?.hasSound == true && !names.contains(entry.name) { names.append(entry.name) }
        return names
    }

    /// Receives the sound of whoever has a name, now or later, for an object.
    ///
    /// - Parameters:
    ///   - rate, period: frames per second of the engine, and those that it takes at once.
    ///   - floor: milliseconds of sound that have to wait for the engine.
    ///   - deliver: takes one channel at the engine's rate, and whether it may be heard.
    public func receiveSound(
        of name: String, for object: Int, rate: Int, period: Int, floor: Double,
        deliver: (consuming FrameRing.Consumer, consuming Switch.Realtime) -> Void
    ) {
        ears.receive(name, for: object, rate: rate, period: period, floor: floor, deliver: deliver)
        settle()
    }

    /// Ends receiving for an object.
    public func releaseSound(of object: Int) {
        ears.release(object)
        settle()
    }

    /// State of an object's sound, for a person to read.
    public func soundState(of object: Int) -> String { ears.wishes[object]?.words ?? "" }

    /// Makes the engine a peer.
    func joinEars() {
        relay.join(
            EngineEars.peer, identity: EngineEars.identity, isPaired: true, name: EngineEars.name, decodes: [], takesPictures: false)
    }

    /// The peer that a name stands for: a paired one if a paired client has this name, since others can choose theirs; of others the one
    /// that is heard or asked already, or the first that has not refused.
    private func sender(for wish: SoundWish, _ offering: [RosterEntry], reserved: Set<String>) -> Int? {
        let named = offering.filter { $0.name == wish.name }
        if let paired = named.first(where: \.isPaired) { return paired.peer }
        guard !reserved.contains(wish.name) else { return nil }
        let refuser = wish.refusal?.sender
        if let present = wish.sender, present != refuser, named.contains(where: { $0.peer == present }) { return present }
        return (named.first { $0.peer != refuser } ?? named.first)?.peer
    }

    /// Begins and ends the engine's links as its objects want it.
    func connectEars() {
        guard ears.isDue else { return }
        ears.isDue = false
        guard !ears.wishes.isEmpty || !ears.links.isEmpty else { return }
        let (offering, reserved) = (relay.roster.filter { $0.offer?.hasSound == true }, Set(names().values))
        for wish in ears.wishes.values {
            guard let sender = sender(for: wish, offering, reserved: reserved) else {
                (wish.sender, wish.refusal, wish.state) = (nil, nil, .away)
                continue
            }
            if wish.refusal?.sender == sender { continue }
            if wish.sender != sender, let link = ears.links[sender] {
                (wish.sender, wish.state) = (sender, link.isOpen ? .heard : .asking)
            }
            if ears.links[sender] == nil { ask(sender, wish) }
        }
        let wanted = Set(ears.wishes.values.compactMap(\.sender))
        for (sender, link) in ears.links where !wanted.contains(sender) {
            ears.links[sender] = nil
            try? relay.stop(EngineEars.peer, link: link.number)
        }
    }

    private func ask(_ sender: Int, _ wish: SoundWish) {
        wish.sender = sender
        do throws(RelayRefusal) {
            switch try relay.start(EngineEars.peer, from: sender, now: now) {
            case .opened(let link):
                ears.links[sender] = .init(number: link, isOpen: true)
                wish.state = .heard
            case .asked(let link):
                ears.links[sender] = .init(number: link, isOpen: false)
                wish.state = .asking
            }
        } catch { (wish.sender, wish.state) = (nil, .refused(error.description)) }
    }

    /// Notes a link of the engine that was opened, or about which the sender was asked.
    func noteEars(_ link: Int, sender: Int, isOpen: Bool) {
        var known = ears.links[sender] ?? .init(number: link, isOpen: isOpen)
        known.isOpen = isOpen
        ears.note(known, from: sender, now: now)
    }

    func endEars(_ sender: Int, _ reason: RelayEnd) {
        let name = relay.roster.first { $0.peer == sender }?.name ?? "the sender"
        ears.note(nil, from: sender, end: reason, name: name, now: now)
    }

    /// Takes the sound that has come.
    func takeSound() {
        let now = now
        while let frame = relay.take(for: EngineEars.peer, now: now) {
            let header = frame.bytes(from: RelayFrame.senderOffset)
            func number(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(header[offset + $1]) << (8 * $1) } }
            let sender = Int(number(0))
            guard var link = ears.links[sender] else { continue }
            link.arrived += 1
            ears.links[sender] = link
            try? relay.note(EngineEars.peer, RelayReceipt(link: link.number, frames: link.arrived), now: now)
            let packet = Array(header.dropFirst(RelayFrame.headerBytes - RelayFrame.senderOffset))
            ears.take(packet, number: number(4), from: sender, now: now)
        }
    }
}
