internal import Hub
internal import Pose

/// Cache of the addresses of OSC messages that are known to belong to trackers, and of those that are known not to.
struct TrackerAddresses {
    private var trackers = AddressBook()
    private var others = AddressBook()

    /// Forgets all addresses, since trackers have come or gone.
    mutating func removeAll() {
        trackers.removeAll()
        others.removeAll()
    }

    func isTracker(_ address: UnsafeRawBufferPointer) -> Bool { trackers.number(of: address) != nil }

    func isOther(_ address: UnsafeRawBufferPointer) -> Bool { others.number(of: address) != nil }

    mutating func note(_ address: UnsafeRawBufferPointer, isTracker: Bool) {
        if isTracker { trackers.insert(address, 0) } else { others.insert(address, 0) }
    }
}
