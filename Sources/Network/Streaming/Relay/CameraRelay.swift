/// Passes the pictures and the sound of peers on to admitted receivers, without decoding anything.
///
/// Independent of sockets and threads: the owner calls it for every message of peers, sends them its ``takeEvents()``, and sends what
/// ``take(for:now:)`` returns. All times are milliseconds of a monotonic clock.
public struct CameraRelay<Payload> {
    var peers: [Int: RelayPeer] = [:]
    var links: [Int: RelayLink<Payload>] = [:]
    /// Numbers of the links of each sender and of each receiver, in the order in which they began.
    var linksOut: [Int: [Int]] = [:]
    var linksIn: [Int: [Int]] = [:]
    private var events: [RelayEvent] = []
    private var lastLink = 0
    /// Refusals since the start, by kind.
    public private(set) var refusals: [RelayRefusal.Kind: Int] = [:]
    /// Frames and bytes that were passed on since the start, and frames that were left out on links that have ended.
    public internal(set) var totals = (frames: 0, bytes: 0, skipped: 0)

    public init() {}

    /// Counts a refusal.
    public mutating func count(_ refusal: RelayRefusal) { refusals[refusal.kind, default: 0] += 1 }

    mutating func tell(_ event: RelayEvent) {
        // Repeated frames and rosters have no further effect.
        switch event {
        case .frames, .roster: if events.contains(event) { return }
        default: break
        }
        events.append(event)
    }

    /// Removes and returns what is to be sent to peers, in order.
    public mutating func takeEvents() -> [RelayEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Peers

    /// Adds a peer, which has said hello.
    ///
    /// - Parameters:
    ///   - identity: by which senders name it. The caller vouches for it; two peers may have the same.
    ///   - isPaired: whether the identity outlasts the connection.
    ///   - takesPictures: false for a peer that receives sound only.
    public mutating func join(
        _ peer: Int, identity: String, isPaired: Bool, name: String, decodes: Set<RelayCodec>, takesPictures: Bool = true
    ) {
        peers[peer] = RelayPeer(
            number: peer, identity: identity, isPaired: isPaired, name: name, decodes: decodes, takesPictures: takesPictures)
        tell(.roster)
    }

    /// Removes a peer with everything that it sends and receives.
    public mutating func leave(_ peer: Int) {
        guard peers[peer] != nil else { return }
        for link in (linksOut[peer] ?? []) { end(link, .ended) }
        for link in (linksIn[peer] ?? []) { end(link, .left) }
        peers[peer] = nil
        tell(.roster)
    }

    func peer(_ number: Int) throws(RelayRefusal) -> RelayPeer {
        guard let peer = peers[number] else { throw RelayRefusal(.order, "the first message must be hello") }
        return peer
    }

    // MARK: Offers

    /// Offers pictures or sound, or changes an offer. Receivers that it no longer admits are stopped, or asked about; those that it
    /// lists as stopped end at once.
    public mutating func offer(_ number: Int, _ offer: RelayOffer, now: Double) throws(RelayRefusal) {
        var peer = try peer(number)
        let before = peer.offer
        let stopped = offer.stopped.subtracting(peer.barred)
        guard stopped.isEmpty || peer.barred.count < RelayLimits.stopped else {
            throw RelayRefusal(.limit, "\(peer.barred.count) identities have been stopped already; connect again to stop others")
        }
        if before == nil || before?.source != offer.source || before?.bounds != offer.bounds {
            peer.ladder = VideoLadder(offer.bounds)
            peer.uplink = UplinkGauge(steps: peer.ladder.steps.count)
            for link in linksOut[number] ?? [] { links[link]?.steps = StepChooser(count: peer.ladder.steps.count, pace: .picture) }
        }
        if before == nil {
            (peer.latest, peer.isWhole, peer.keyAsked, peer.told) = ((nil, nil), false, nil, nil)
        }
        peer.offer = offer
        peer.barred.formUnion(stopped)
        peers[number] = peer
        for link in linksOut[number] ?? [] {
            if let receiver = links[link]?.receiver, let identity = peers[receiver]?.identity, stopped.contains(identity) {
                end(link, .stopped)
            }
        }
        for link in linksOut[number] ?? [] { review(link, now: now) }
        steer(number)
        if before?.source != offer.source || before?.hasSound != offer.hasSound || before?.admission != offer.admission { tell(.roster) }
    }

    /// Ends an offer; nothing of it is passed on any more, not even what waits.
    public mutating func withdraw(_ number: Int) throws(RelayRefusal) {
        guard try peer(number).offer != nil else { throw RelayRefusal(.stopped, "nothing is offered") }
        peers[number]?.offer = nil
        for link in linksOut[number] ?? [] { end(link, .ended) }
        tell(.roster)
    }

    // MARK: Links

    /// Result of a wish to receive.
    public enum Start: Equatable, Sendable {
        case opened(link: Int)
        /// The sender has been asked.
        case asked(link: Int)
    }

    /// Lets a peer receive what another offers, as far as the sender permits it.
    public mutating func start(_ receiver: Int, from sender: Int, now: Double) throws(RelayRefusal) -> Start {
        let own = try peer(receiver)
        guard receiver != sender else { throw RelayRefusal(.foreign, "a peer cannot receive what it sends itself") }
        guard let other = peers[sender], let offer = other.offer else { throw RelayRefusal(.stopped, "peer \(sender) offers nothing") }
        let present = linksIn[receiver] ?? []
        if let link = present.compactMap({ links[$0] }).first(where: { $0.sender == sender }) {
            return link.isOpen ? .opened(link: link.number) : .asked(link: link.number)
        }
        guard present.count < RelayLimits.links else {
            throw RelayRefusal(.limit, "a peer can receive from at most \(RelayLimits.links) others")
        }
        guard own.takesPictures || offer.hasSound else { throw RelayRefusal(.codec, "\(other.name) offers no sound") }
        let watching = (linksOut[sender] ?? []).compactMap { links[$0] }.filter(\.hasPictures)
        let others = watching.compactMap { peers[$0.receiver]?.decodes }
        let isDecoded = offer.codecs.contains { codec in ([own.decodes] + others).allSatisfy { $0.contains(codec) } }
        guard !own.takesPictures || offer.codecs.isEmpty || isDecoded else {
            let names = offer.codecs.map(\.name).joined(separator: ", ")
            throw RelayRefusal(.codec, "\(other.name) sends \(names); of these, this browser decodes none that all its receivers decode")
        }
        let admission = try admission(own, to: other, offer)
        if !admission, let end = other.denied[own.identity], now < end {
            throw RelayRefusal(.permission, "\(other.name) has refused; ask again in \(Int(clamping: ((end - now) / 1000).rounded(.up))) s")
        }
        lastLink += 1
        var link = RelayLink<Payload>(
            lastLink, from: sender, to: receiver, hasPictures: own.takesPictures, steps: other.ladder.steps.count)
        link.isOpen = admission
        guard admission || (linksOut[sender] ?? []).count(where: { links[$0]?.isOpen == false }) < RelayLimits.questions else {
            throw RelayRefusal(.limit, "\(other.name) has \(RelayLimits.questions) open requests already; try again later")
        }
        links[lastLink] = link
        linksOut[sender, default: []].append(lastLink)
        linksIn[receiver, default: []].append(lastLink)
        guard admission else {
            tell(.asked(link: lastLink, sender: sender, receiver: receiver))
            return .asked(link: lastLink)
        }
        opened(lastLink, now: now)
        return .opened(link: lastLink)
    }

    /// - Returns: true when the peer may receive at once, false when the sender has to be asked.
    func admission(_ peer: RelayPeer, to sender: RelayPeer, _ offer: RelayOffer) throws(RelayRefusal) -> Bool {
        if sender.barred.contains(peer.identity) { throw RelayRefusal(.permission, "\(sender.name) has stopped this peer") }
        switch offer.admission {
        // A stopped peer could come back under another identity.
        case .everyone: return peer.isPaired || sender.barred.isEmpty
        case .named:
            guard offer.named.contains(peer.identity) else { throw RelayRefusal(.permission, "\(sender.name) admits named peers only") }
            return true
        case .ask: return false
        }
    }

    private mutating func opened(_ number: Int, now: Double) {
        guard let link = links[number] else { return }
        tell(.opened(link: number, sender: link.sender, receiver: link.receiver))
        steer(link.sender)
        askForKeys(link.sender, now: now)
    }

    /// Answers a peer that asks, or admits one again that was stopped.
    ///
    /// - Parameter sender: the peer that answers; only the link's own sender can.
    public mutating func admit(_ sender: Int, link number: Int, now: Double) throws(RelayRefusal) {
        let link = try own(sender, number, asSender: true)
        links[number]?.isAdmitted = true
        guard !link.isOpen else { return }
        links[number]?.isOpen = true
        opened(number, now: now)
    }

    /// Lets a peer ask again that was stopped or denied.
    public mutating func pardon(_ sender: Int, peer: Int) throws(RelayRefusal) {
        _ = try self.peer(sender)
        guard let identity = peers[peer]?.identity else { throw RelayRefusal(.stopped, "there is no peer \(peer)") }
        peers[sender]?.barred.remove(identity)
        peers[sender]?.denied[identity] = nil
        tell(.roster)
    }

    /// Refuses a peer that asks. It may ask again later.
    public mutating func deny(_ sender: Int, link number: Int, now: Double) throws(RelayRefusal) {
        let link = try own(sender, number, asSender: true)
        guard !link.isOpen else { return try stop(sender, link: number) }
        if let identity = peers[link.receiver]?.identity {
            var denied = (peers[sender]?.denied ?? [:]).filter { $0.value > now }
            denied[identity] = now + RelayLimits.denied
            peers[sender]?.denied = denied
        }
        end(number, .denied)
    }

    /// Ends a link, by either of its ends. A receiver that the sender stops is not admitted again until the sender pardons it.
    public mutating func stop(_ peer: Int, link number: Int) throws(RelayRefusal) {
        let link = try own(peer, number)
        if link.sender == peer, let identity = peers[link.receiver]?.identity { peers[peer]?.barred.insert(identity) }
        end(number, link.sender == peer ? .stopped : .left)
    }

    /// A link to or from a peer.
    func own(_ peer: Int, _ number: Int, asSender: Bool? = nil) throws(RelayRefusal) -> RelayLink<Payload> {
        _ = try self.peer(peer)
        guard let link = links[number] else { throw RelayRefusal(.stopped, "link \(number) no longer exists") }
        guard (link.sender == peer && asSender != false) || (link.receiver == peer && asSender != true) else {
            throw RelayRefusal(.foreign, "link \(number) is another peer's")
        }
        return link
    }

    /// Applies changed permissions to a link.
    private mutating func review(_ number: Int, now: Double) {
        guard let link = links[number], let sender = peers[link.sender], let offer = sender.offer, let receiver = peers[link.receiver]
        else { return }
        // A peer that receives already is not one that was stopped.
        if link.isOpen, offer.admission == .everyone || (link.isAdmitted && offer.admission == .ask) { return }
        switch Result(catching: { () throws(RelayRefusal) in try admission(receiver, to: sender, offer) }) {
        case .failure: end(number, .stopped)
        case .success(let isOpen):
            guard isOpen != link.isOpen else { return }
            links[number]?.isOpen = isOpen
            if isOpen { return opened(number, now: now) }
            links[number]?.bucket.clear()
            tell(.asked(link: number, sender: link.sender, receiver: link.receiver))
        }
    }

    mutating func end(_ number: Int, _ reason: RelayEnd) {
        guard let link = links.removeValue(forKey: number) else { return }
        totals.skipped += link.bucket.skipped + link.bucket.count
        linksOut[link.sender]?.removeAll { $0 == number }
        linksIn[link.receiver]?.removeAll { $0 == number }
        if linksOut[link.sender]?.isEmpty == true { linksOut[link.sender] = nil }
        if linksIn[link.receiver]?.isEmpty == true { linksIn[link.receiver] = nil }
        tell(.closed(link: number, sender: link.sender, receiver: link.receiver, reason))
        // The others may have another codec in common, and a better network.
        if link.isOpen, linksOut[link.sender] != nil { steer(link.sender) }
    }
}

extension CameraRelay: Sendable where Payload: Sendable {}
