/// The pairing codes that are valid: each can be used once, within a short time.
public struct PairingOffers {
    /// Seconds until a code expires.
    public static let seconds = 300
    /// Codes that are valid at a time; a new one replaces the oldest.
    private static let most = 16
    private static let mostSpent = 64

    private struct Offer {
        let token: String
        let role: AccessRole
        /// CLOCK_MONOTONIC nanoseconds.
        let ends: UInt64
    }

    public enum Outcome: Equatable, Sendable {
        case accepted(AccessRole)
        /// Has been used already.
        case spent
        case ended
        case unknown
    }

    private var offers: [Offer] = []
    private var spent: [String] = []
    private var ended: [String] = []

    public init() {}

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: a new code.
    public mutating func make(_ role: AccessRole, now: UInt64) -> String {
        if offers.count == Self.most { Self.remember(offers.removeFirst().token, in: &ended) }
        let token = Secret.random()
        offers.append(Offer(token: token, role: role, ends: now + UInt64(Self.seconds) * 1_000_000_000))
        return token
    }

    /// Uses up a code.
    public mutating func redeem(_ token: String, now: UInt64) -> Outcome {
        var found: Int?
        for (index, offer) in offers.enumerated() where Secret.equal(offer.token, token) { found = index }
        let isSpent = spent.count { Secret.equal($0, token) } > 0
        let isEnded = ended.count { Secret.equal($0, token) } > 0
        guard let found else { return isSpent ? .spent : isEnded ? .ended : .unknown }
        let offer = offers.remove(at: found)
        guard now < offer.ends else {
            Self.remember(token, in: &ended)
            return .ended
        }
        Self.remember(token, in: &spent)
        return .accepted(offer.role)
    }

    private static func remember(_ token: String, in list: inout [String]) {
        if list.count == mostSpent { list.removeFirst() }
        list.append(token)
    }
}
