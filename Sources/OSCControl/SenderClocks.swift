public import Crossing
internal import Synchronization

/// The clocks of those who send, by address: found on the control thread, used on the pose thread.
///
/// A clock belongs to a machine, so that its port does not count.
public final class SenderClocks: Sendable {
    private static let mostClocks = 64
    private let clocks = Mutex<[SIMD16<UInt8>: RemoteClock]>([:])

    public init() {}

    public func set(_ clock: RemoteClock, of address: NetworkAddress) {
        clocks.withLock { clocks in
            if clocks.count >= Self.mostClocks, clocks[address.bytes] == nil { clocks.removeAll() }
            clocks[address.bytes] = clock
        }
    }

    /// Nil when it was never asked for.
    public func clock(of address: NetworkAddress) -> RemoteClock? { clocks.withLock { $0[address.bytes] } }
}
