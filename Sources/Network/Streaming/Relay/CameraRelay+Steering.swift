extension CameraRelay {
    /// Asks for a key frame on behalf of a receiver that cannot decode.
    public mutating func askForKey(_ receiver: Int, link number: Int, now: Double) throws(RelayRefusal) {
        let link = try own(receiver, number, asSender: false)
        guard link.isOpen else { throw RelayRefusal(.permission, "\(peers[link.sender]?.name ?? "the sender") has not answered yet") }
        links[number]?.bucket.awaitKey()
        askForKeys(link.sender, now: now)
    }

    /// Handles the passage of time: silent links, and key frames that have become due.
    public mutating func tick(now: Double) {
        for sender in linksOut.keys.sorted() {
            for number in linksOut[sender] ?? [] {
                guard var link = links[number], link.isOpen else { continue }
                let state = link.gauge.state(now: now)
                var isOther = link.isGone != link.gauge.isGone(now: now)
                link.isGone = link.gauge.isGone(now: now)
                if state == .late || link.gauge.onTheirWay == 0, link.steps.note(state, now: now) { isOther = true }
                links[number] = link
                if isOther { steer(sender) }
            }
            askForKeys(sender, now: now)
        }
    }

    /// Asks a sender for one key frame, if one of its links needs it and may ask.
    mutating func askForKeys(_ sender: Int, now: Double) {
        guard let peer = peers[sender], peer.offer?.codecs.isEmpty == false else { return }
        if let asked = peer.keyAsked, now - asked < RelayLimits.keyPatience { return }
        let isDue = (linksOut[sender] ?? []).contains { number in
            guard let link = links[number], link.isOpen, link.hasPictures, link.bucket.needsKey, now >= link.nextKey else { return false }
            // A key frame that waits behind others would be late again.
            return link.gauge.onTheirWay <= 1
        }
        guard isDue else { return }
        peers[sender]?.keyAsked = now
        for number in linksOut[sender] ?? [] where links[number]?.bucket.needsKey == true {
            guard let pause = links[number]?.pause else { continue }
            links[number]?.nextKey = now + pause
        }
        tell(.key(sender: sender))
    }

    /// Sends a sender's encoder what its links need, after a change.
    mutating func steer(_ sender: Int) {
        guard let peer = peers[sender], let offer = peer.offer else { return }
        let open = (linksOut[sender] ?? []).compactMap { links[$0] }.filter { $0.isOpen && $0.hasPictures }
        let present = open.filter { !$0.isGone }
        let steps = (present.isEmpty ? open : present).map(\.steps.step).sorted()
        let step = offer.following == .slowest ? steps.last : steps.isEmpty ? nil : steps[steps.count / 2]
        // The sender's own network limits all receivers.
        let needed = max(step ?? 0, open.isEmpty ? 0 : peer.uplink.steps.step)
        let strategy = peer.ladder.steps[min(needed, peer.ladder.steps.count - 1)]
        let codec = offer.codecs.first { codec in open.allSatisfy { peers[$0.receiver]?.decodes.contains(codec) == true } }
        guard peer.told == nil || peer.told?.strategy != strategy || peer.told?.codec != codec else { return }
        peers[sender]?.told = (strategy, codec)
        tell(.strategy(sender: sender, strategy, codec ?? offer.codecs.first))
    }

    // MARK: Readings

    /// All peers that have said hello, in the order of their numbers.
    public var roster: [RosterEntry] {
        peers.values.sorted { $0.number < $1.number }.map { peer in
            RosterEntry(
                peer: peer.number, identity: peer.identity, isPaired: peer.isPaired, name: peer.name, offer: peer.offer,
                receivers: (linksOut[peer.number] ?? []).count { links[$0]?.isOpen == true },
                senders: (linksIn[peer.number] ?? []).compactMap { links[$0] }.filter(\.isOpen).map(\.sender).sorted())
        }
    }

    /// Measurements of a peer's links; nil for all links.
    public mutating func readings(of peer: Int?, now: Double) -> [RelayReading] {
        let numbers = peer.map { (linksOut[$0] ?? []) + (linksIn[$0] ?? []) } ?? links.keys.sorted()
        return numbers.compactMap { number in
            guard var link = links[number] else { return nil }
            let bitrate = link.rate.value(now: now)
            let size = peers[link.sender]?.size ?? (width: 0, height: 0)
            links[number] = link
            return RelayReading(
                link: number, sender: link.sender, receiver: link.receiver, isOpen: link.isOpen, bitrate: bitrate,
                width: size.width, height: size.height, frames: link.gauge.sent, skipped: link.bucket.skipped, late: link.gauge.late,
                waiting: link.bucket.count + link.gauge.onTheirWay, trip: link.gauge.trip, slope: link.gauge.slope, step: link.steps.step)
        }
    }

    /// Number of links over which frames pass, and of those whose senders have not answered.
    public var counts: (open: Int, asking: Int) {
        let open = links.values.count(where: \.isOpen)
        return (open, links.count - open)
    }

    /// Frames that were left out since the start.
    public var skipped: Int { links.values.reduce(totals.skipped) { $0 + $1.bucket.skipped } }

    /// Offer of a peer; nil when it offers nothing.
    public func offer(of peer: Int) -> RelayOffer? { peers[peer]?.offer }

    /// Strategy last sent to the sender; nil without an offer.
    public func strategy(of sender: Int) -> VideoStrategy? { peers[sender]?.offer == nil ? nil : peers[sender]?.told?.strategy }
}
