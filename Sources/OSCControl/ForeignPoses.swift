internal import Hub
internal import Tracking

/// Recognises trackers by their addresses on the OSC port, and says once what it assumed.
struct ForeignPoses {
    private var feeds: [TrackerFeed]
    private var announced: Set<Int> = []
    /// Which feed an address belongs to; nil for addresses that are nobody's. Bounded.
    private var verdicts: [String: Int?] = [:]
    private static let mostVerdicts = 1024
    private let report: @Sendable (String) -> Void
    /// Told the name of a profile that was recognised.
    private let recognised: @Sendable (String) -> Void
    /// Numbers of sources that no tracker has.
    private static let firstSource = 1000

    /// - Parameter head: of the listener whose head they turn, the first.
    init(
        head: ListenerHead, report: @escaping @Sendable (String) -> Void,
        recognised: @escaping @Sendable (String) -> Void
    ) {
        self.report = report
        self.recognised = recognised
        let profiles = TrackerProfile.table.filter { $0.transport == .udp }
        feeds = profiles.enumerated().compactMap { index, profile in
            var profile = profile
            // An address of any first part would be assumed where a parameter was misspelt.
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

    /// - Returns: how many poses were sent.
    mutating func release(now: UInt64) -> Int {
        announced.reduce(0) { $0 + feeds[$1].release(now: now) }
    }

    /// Another feed has taken over a profile that was recognised.
    func leave(_ profile: String) {
        for feed in feeds where feed.profile.name == profile { feed.leave() }
    }

    /// - Parameter bytes: one message that is no pose of the program's own, nor of a tracker that was asked for.
    /// - Returns: how many poses came of it; nil when no profile has its address.
    mutating func take(
        _ address: String, _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Int? {
        guard let index = verdict(address), var message = try? OSCPacket.message(bytes, receiveTime: receiveTime)
        else { return nil }
        message.senderTime = senderTime
        if announced.insert(index).inserted { announce(address, index) }
        return feeds[index].take(message)
    }

    /// Whether any profile has this address.
    mutating func knows(_ address: String) -> Bool { verdict(address) != nil }

    private mutating func verdict(_ address: String) -> Int? {
        if let known = verdicts[address] { return known }
        if verdicts.count >= Self.mostVerdicts { verdicts.removeAll() }
        let index = feeds.firstIndex { $0.knows(address) }
        verdicts[address] = .some(index)
        return index
    }

    private func announce(_ address: String, _ index: Int) {
        let others = feeds[(index + 1)...].filter { $0.knows(address) }.map(\.profile.name)
        let doubt = others.isEmpty ? "" : ", though \(others.joined(separator: " or ")) sends that too"
        report(
            "\(address) on the OSC port is taken as \(feeds[index].profile.title) for listener 1\(doubt); "
                + "if heads turn wrongly, start with --tracker PROFILE:PORT")
        recognised(feeds[index].profile.name)
    }
}
