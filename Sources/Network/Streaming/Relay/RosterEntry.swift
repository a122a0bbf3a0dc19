/// One peer as the others see it.
public struct RosterEntry: Sendable, Equatable {
    public let peer: Int
    public let identity: String
    public let isPaired: Bool
    public let name: String
    public let offer: RelayOffer?
    /// Number of peers that receive it.
    public let receivers: Int
    /// Numbers of the peers that it receives.
    public let senders: [Int]
}
