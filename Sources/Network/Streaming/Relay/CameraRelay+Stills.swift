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
