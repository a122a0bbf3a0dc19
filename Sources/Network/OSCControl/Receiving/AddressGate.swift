internal import CRealtime
internal import Hub

/// Selects the messages that the pose thread passes on: all to known addresses and patterns, and a limited number of others per second, so
/// that mistakes are reported and new parameters are reached.
struct AddressGate {
    /// Messages per second to unknown addresses that are passed on; a burst may have twice as many.
    static let strangers = 250

    private let filter: AddressFilter
    private var known: AddressSet?
    private var version = 0
    private var budget = MessageBudget(rate: strangers, now: rt_now())

    init(_ filter: AddressFilter) { self.filter = filter }

    /// Reads the newest addresses.
    mutating func refresh() { if let newest = filter.newest(since: &version) { known = newest } }

    /// - Parameter address: without the zeros at its end.
    mutating func admits(_ address: UnsafeRawBufferPointer) -> Bool {
        guard let known, !known.contains(address), !address.contains(where: Hub.isWildcard) else { return true }
        return budget.spend(1, now: rt_now())
    }
}
