public import Hub
internal import Synchronization

/// The clocks of senders by address: measured on the control thread, used on the pose thread.
///
/// A clock belongs to a machine, so the port is ignored.
public final class SenderClocks: Sendable {
    private static let maximumClocks = 64
    private let clocks = Mutex<[SIMD16<UInt8>: RemoteClock]>([:])

    public init() {}

    public func set(_ clock: RemoteClock, of address: NetworkAddress) {
        clocks.withLock { clocks in
            if clocks.count >= Self.maximumClocks, clocks[address.bytes] == nil { clocks.removeAll() }
            clocks[address.bytes] = clock
        }
    }

    /// Returns a sender's clock; nil when it was never measured.
    public func clock(of address: NetworkAddress) -> RemoteClock? { clocks.withLock { $0[address.bytes] } }
}
