internal import CRealtime
internal import Hub
internal import Synchronization

/// The addresses that the control thread handles, published to the pose thread, which drops floods of messages to other ones.
public final class AddressFilter: Sendable {
    private let published = Mutex<AddressSet?>(nil)
    /// Rises with every publication.
    private let version = Atomic<Int>(0)

    public init() {}

    /// Called by the control thread when the namespace has changed.
    func publish(_ set: AddressSet) {
        published.withLock { $0 = set }
        version.add(1, ordering: .releasing)
    }

    /// The newest addresses; nil when those of `known` are still the newest.
    /// - Parameter known: the version that was read last; set to the version that is returned.
    func newest(since known: inout Int) -> AddressSet? {
        let newest = version.load(ordering: .acquiring)
        guard newest != known else { return nil }
        known = newest
        return published.withLock { $0 }
    }
}

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

/// Addresses by their hashes, for a quick test of membership. Rarely holds an address that was not added, never lacks one that was.
struct AddressSet: Sendable {
    /// Hash table: each hash is at its own place or at the next free one; 0 marks a free place.
    private var places: [UInt64]

    init(_ addresses: some Collection<String>, and others: [String] = []) {
        var size = 16
        while size < 2 * (addresses.count + others.count) { size *= 2 }
        places = Array(repeating: 0, count: size)
        for address in addresses { insert(address) }
        for address in others { insert(address) }
    }

    private mutating func insert(_ address: String) {
        var address = address
        let hash = address.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
        places[place(of: hash)] = hash
    }

    /// - Parameter address: the bytes of an OSC address, without the zeros at its end.
    func contains(_ address: UnsafeRawBufferPointer) -> Bool { places[place(of: Self.hash(address))] != 0 }

    /// Returns the place of a hash, or the free place for it.
    private func place(of hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0, places[place] != hash { place = (place + 1) & (places.count - 1) }
        return place
    }

    private static func hash(_ address: UnsafeRawBufferPointer) -> UInt64 { max(1, AddressBook.hash(address)) }
}
