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
