internal import Hub

/// The rule for a limited number of places that all senders share: when all are taken, the sender that has the most gives way to a
/// newcomer, and no other does.
enum FairShare {
    /// Returns the sender that gives way.
    ///
    /// - Parameters:
    ///   - holdings: number of places that each sender has.
    ///   - size: number of places that the newcomer asks for.
    /// - Returns: nil when the newcomer would have as many as any other; it is refused then.
    static func yielding(_ holdings: [NetworkAddress: Int], to newcomer: NetworkAddress, size: Int = 1) -> NetworkAddress? {
        guard let most = holdings.max(by: { $0.value < $1.value }), most.value > holdings[newcomer, default: 0] + size else { return nil }
        return most.key
    }

    /// The places of each machine, for holders that have one place each.
    static func machines(_ holders: some Sequence<NetworkAddress>) -> [NetworkAddress: Int] {
        holders.reduce(into: [:]) { $0[$1.machine, default: 0] += 1 }
    }
}
