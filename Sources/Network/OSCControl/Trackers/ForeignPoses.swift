internal import Hub
internal import Pose

/// Recognises trackers by their addresses on the OSC port, and reports each assumed profile once.
struct ForeignPoses {
    private var feeds: [TrackerFeed]
    private var announced: Set<Int> = []
    /// Cache of feed indices by address; nil for addresses of no profile. Limited in size.
    private var feedIndices: [String: Int?] = [:]
    private static let maximumCachedAddresses = 1024
    private let report: @Sendable (String) -> Void
    /// Called with the name of a recognised profile.
    private let recognised: @Sendable (String) -> Void
    /// First source number; attached trackers use lower ones.
    private static let firstSource = 1000

    /// - Parameter head: the head that recognised trackers control, that of the first listener.
    init(
        head: ListenerHead, report: @escaping @Sendable (String) -> Void,
        recognised: @escaping @Sendable (String) -> Void
    ) {
        self.report = report
        self.recognised = recognised
        let profiles = TrackerProfile.table.filter { $0.transport == .udp }
        feeds = profiles.enumerated().compactMap { index, profile in
            var profile = profile
            // An address with a wildcard as its first part would also match misspelt parameter addresses.
            profile.forms.removeAll { $0.datagram != nil || $0.addresses.contains { $0.hasPrefix("/*") } }
            guard !profile.forms.isEmpty else { return nil }
            return TrackerFeed(
                profile, name: "tracker \(profile.name) on the OSC port", source: Self.firstSource + index, head: head,
                report: report)
        }
    }

    var nextDue: UInt64? {
        announced.isEmpty ? nil : announced.lazy.compactMap { feeds[$0].nextDue }.min()
    }

    /// - Returns: the number of poses sent.
    mutating func release(now: UInt64) -> Int {
        announced.reduce(0) { $0 + feeds[$1].release(now: now) }
    }

    /// Stops controlling the head with a profile that another feed has taken over.
    func leave(_ profile: String) {
        for feed in feeds where feed.profile.name == profile { feed.leave() }
    }

    /// - Parameter bytes: one message that is neither a listener's pose nor from an attached tracker.
    /// - Returns: the number of poses sent; nil when no profile has its address.
    mutating func take(
        _ address: String, _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Int? {
        guard let index = feedIndex(address), var message = try? OSCPacket.message(bytes, receiveTime: receiveTime)
        else { return nil }
        message.senderTime = senderTime
        if announced.insert(index).inserted { announce(address, index) }
        return feeds[index].take(message)
    }

    /// Returns whether any profile has this address.
    mutating func knows(_ address: String) -> Bool { feedIndex(address) != nil }

    private mutating func feedIndex(_ address: String) -> Int? {
        if let known = feedIndices[address] { return known }
        if feedIndices.count >= Self.maximumCachedAddresses { feedIndices.removeAll() }
        let index = feeds.firstIndex { $0.knows(address) }
        feedIndices[address] = .some(index)
        return index
    }

    private func announce(_ address: String, _ index: Int) {
        let others = feeds[(index + 1)...].filter { $0.knows(address) }.map(\.profile.name)
        let doubt = others.isEmpty ? "" : ", although \(others.joined(separator: " or ")) uses the same address"
        report(
            "\(address) on the OSC port is interpreted as \(feeds[index].profile.title) for listener 1\(doubt); "
                + "if the head turns the wrong way, start with --tracker PROFILE:PORT")
        recognised(feeds[index].profile.name)
    }
}
