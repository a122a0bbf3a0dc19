extension CameraRelay {
    /// Takes a frame of a sender and queues it for all its receivers.
    ///
    /// - Parameters:
    ///   - frame: its header, as the sender wrote it.
    ///   - bytes: length with the header.
    ///   - payload: sent to each receiver; called only when there is one.
    public mutating func push(
        _ number: Int, _ frame: RelayFrame, bytes: Int, now: Double, payload: () -> Payload
    ) throws(RelayRefusal) {
        try check(frame, of: number)
        if frame.kind != .sound, peers[number]?.uplink.note(captured: frame.timestamp, now: now) == true { steer(number) }
        let open = (linksOut[number] ?? []).filter { link in
            guard let link = links[link], link.isOpen else { return false }
            // After a change of the codec, a picture in the previous one may still arrive.
            return frame.kind == .sound || peers[link.receiver]?.decodes.contains(frame.codec) == true
        }
        guard !open.isEmpty else { return }
        let payload = payload()
        for link in open { queue(frame, payload, bytes, on: link, now: now) }
        askForKeys(number, now: now)
    }

    private mutating func check(_ frame: RelayFrame, of number: Int) throws(RelayRefusal) {
        let peer = try peer(number)
        guard frame.sender == 0 || Int(frame.sender) == number else {
            throw RelayRefusal(.foreign, "a frame claims to be from peer \(frame.sender); this is peer \(number)")
        }
        guard let offer = peer.offer else { throw RelayRefusal(.stopped, "a frame arrived although nothing is offered") }
        if frame.kind == .sound {
            guard offer.hasSound else { throw RelayRefusal(.codec, "a packet of sound arrived although no sound is offered") }
            try order(frame.number, after: peer.latest.sound)
            peers[number]?.latest.sound = frame.number
            return
        }
        guard offer.codecs.contains(frame.codec) else {
            throw RelayRefusal(.codec, "a picture arrived in \(frame.codec.name), which is not offered")
        }
        try order(frame.number, after: peer.latest.picture)
        let isNext = peer.latest.picture.map { frame.number == $0 &+ 1 } == true
        peers[number]?.latest.picture = frame.number
        peers[number]?.size = (frame.width, frame.height)
        if frame.kind == .key {
            peers[number]?.isWhole = true
            peers[number]?.keyAsked = nil
            return
        }
        guard peer.isWhole, isNext else {
            peers[number]?.isWhole = false
            // Pictures after a gap cannot be decoded.
            for link in linksOut[number] ?? [] { links[link]?.bucket.noteGap() }
            throw RelayRefusal(.order, "picture \(frame.number) depends on a missing one; send a key frame next")
        }
    }

    private func order(_ number: UInt32, after latest: UInt32?) throws(RelayRefusal) {
        guard let latest, number <= latest else { return }
        throw RelayRefusal(.order, "frame \(number) came after frame \(latest); numbers must increase")
    }

    private mutating func queue(_ frame: RelayFrame, _ payload: Payload, _ bytes: Int, on number: Int, now: Double) {
        guard var link = links[number] else { return }
        var isOther = false
        if link.bucket.add(frame, payload, bytes: bytes, now: now) {
            if let before = link.ranOver, now - before > RelayLimits.forgiven { link.pause = RelayLimits.keyPause.lowerBound }
            link.ranOver = now
            link.nextKey = now + link.pause
            link.pause = min(RelayLimits.keyPause.upperBound, 2 * link.pause)
            link.gauge.overflow()
            isOther = link.steps.note(.full, now: now)
        }
        links[number] = link
        if isOther { steer(link.sender) }
        tell(.frames(receiver: link.receiver))
    }

    /// Removes the next frame for a receiver, from its links in turn; nil when none waits, or when as many are on their way as the links
    /// carry.
    public mutating func take(for receiver: Int, now: Double) -> Payload? {
        for number in linksIn[receiver] ?? [] {
            guard var link = links[number], link.isOpen, link.gauge.onTheirWay < link.gauge.limit(milliseconds(link.sender)),
                let entry = link.bucket.take()
            else { continue }
            link.gauge.send(now: now)
            link.bytes += entry.bytes
            link.rate.add(entry.bytes, now: now)
            links[number] = link
            totals.frames += 1
            totals.bytes += entry.bytes
            linksIn[receiver]?.removeAll { $0 == number }
            linksIn[receiver]?.append(number)
            return entry.payload
        }
        return nil
    }

    /// Whether ``take(for:now:)`` has a frame.
    public func hasFrame(for receiver: Int) -> Bool {
        (linksIn[receiver] ?? []).contains { number in
            guard let link = links[number], link.isOpen, !link.bucket.isEmpty else { return false }
            return link.gauge.onTheirWay < link.gauge.limit(milliseconds(link.sender))
        }
    }

    /// Duration of one frame of a sender, pictures and sound together.
    func milliseconds(_ sender: Int) -> Int {
        guard let peer = peers[sender], let offer = peer.offer else { return 40 }
        let pictures = offer.codecs.isEmpty ? 0 : (peer.told?.strategy ?? offer.bounds.best).rate
        return max(1, 1000 / max(1, pictures + (offer.hasSound ? 50 : 0)))
    }

    /// Notes the frames that a receiver has confirmed.
    public mutating func note(_ receiver: Int, _ receipt: RelayReceipt, now: Double) throws(RelayRefusal) {
        var link = try own(receiver, receipt.link, asSender: false)
        // Frames may be on their way while the sender is asked again.
        guard link.isOpen || link.gauge.sent > 0 else {
            throw RelayRefusal(.permission, "\(peers[link.sender]?.name ?? "the sender") has not answered yet")
        }
        guard link.gauge.note(receipt, milliseconds: milliseconds(link.sender), now: now) else {
            throw RelayRefusal(.order, "a receipt of link \(receipt.link) counts \(receipt.frames) frames, which is impossible")
        }
        let isOther = link.steps.note(link.gauge.state(now: now), now: now) || link.isGone
        link.isGone = false
        links[receipt.link] = link
        if isOther { steer(link.sender) }
        if hasFrame(for: receiver) { tell(.frames(receiver: receiver)) }
    }
}

extension CameraRelay {
    /// Takes a small still picture of a sender's offer.
    ///
    /// - Returns: the peers that may see it: those that receive the sender, and those that it admits without being asked.
    public mutating func still(_ number: Int, _ still: RelayStill, now: Double) throws(RelayRefusal) -> [Int] {
        let sender = try peer(number)
        guard let offer = sender.offer else { throw RelayRefusal(.stopped, "a small picture arrived although nothing is offered") }
        guard !offer.codecs.isEmpty else { throw RelayRefusal(.codec, "a small picture arrived although no pictures are offered") }
        guard now - (sender.latestStill ?? -.infinity) >= RelayLimits.stillPause else {
            throw RelayRefusal(.limit, "small pictures may be sent at most once in \(Int(clamping: RelayLimits.stillPause)) ms")
        }
        peers[number]?.latestStill = now
        let receiving = Set((linksOut[number] ?? []).compactMap { links[$0] }.filter(\.isOpen).map(\.receiver))
        return peers.values.filter { other in
            guard other.number != number, other.takesPictures else { return false }
            if receiving.contains(other.number) { return true }
            do throws(RelayRefusal) { return try admission(other, to: sender, offer) } catch { return false }
        }.map(\.number).sorted()
    }
}
