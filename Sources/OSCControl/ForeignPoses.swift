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

    /// - Parameter inlet: of the listener whose head they turn, the first.
    init(inlet: PoseInlet, report: @escaping @Sendable (String) -> Void) {
        self.report = report
        feeds = TrackerProfile.table.compactMap { profile in
            var profile = profile
            // An address of any first part would be assumed where a parameter was misspelt.
            profile.forms.removeAll { $0.datagram != nil || $0.addresses.contains { $0.hasPrefix("/*") } }
            guard !profile.forms.isEmpty else { return nil }
            return TrackerFeed(profile, name: "tracker \(profile.name) on the OSC port", inlet: inlet, report: report)
        }
    }

    var nextDue: UInt64? {
        announced.isEmpty ? nil : announced.lazy.compactMap { feeds[$0].nextDue }.min()
    }

    /// - Returns: how many poses were sent.
    mutating func release(now: UInt64) -> Int {
        announced.reduce(0) { $0 + feeds[$1].release(now: now) }
    }

    /// - Parameter bytes: one message that is no pose of the program's own.
    /// - Returns: how many poses came of it; nil when no profile has its address.
    mutating func take(_ bytes: UnsafeRawBufferPointer, receiveTime: UInt64) -> Int? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let address = String(decoding: bytes[..<end], as: UTF8.self)
        guard let index = verdict(address), let message = try? OSCPacket.message(bytes, receiveTime: receiveTime)
        else { return nil }
        if announced.insert(index).inserted { announce(address, index) }
        return feeds[index].take(message)
    }

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
    }
}
