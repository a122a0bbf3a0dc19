public import Crossing
internal import Synchronization

/// Who may send OSC: this machine always, others when their address is listed or a paired device comes from it.
///
/// A datagram proves nothing but its way back: lists of addresses are for networks whose members are known.
public final class OSCAdmission: Sendable {
    /// One entry of the list: an address, or a network as `192.168.1.0/24`.
    public struct Entry: Sendable, Equatable {
        let bytes: SIMD16<UInt8>
        /// How many of the 128 bits have to agree.
        let bits: Int

        /// - Returns: nil for what is neither a numeric address nor a network.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = NetworkAddress(host: String(parts[0])) else { return nil }
            let length = address.isIPv4 ? 32 : 128
            var wanted = length
            if parts.count == 2 {
                guard let given = Int(parts[1]), (0...length).contains(given) else { return nil }
                wanted = given
            }
            bytes = address.bytes
            bits = 128 - length + wanted
        }

        func contains(_ address: NetworkAddress) -> Bool {
            for i in 0..<16 {
                let left = bits - 8 * i
                if left <= 0 { return true }
                let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
                if (bytes[i] ^ address.bytes[i]) & mask != 0 { return false }
            }
            return true
        }
    }

    private struct Strangers {
        var known: Set<SIMD16<UInt8>> = []
        var unsaid: [NetworkAddress] = []
    }

    /// Addresses that are remembered, so that each is said once.
    private static let mostStrangers = 64
    private let entries: [Entry]
    private let strangers = Mutex(Strangers())
    /// From where paired devices have come, by device.
    private let paired = Mutex<[String: Set<SIMD16<UInt8>>]>([:])
    /// Addresses of one device that are remembered.
    private static let mostAddresses = 8

    /// - Parameter entries: who may send besides this machine.
    public init(_ entries: [Entry] = []) { self.entries = entries }

    public func admits(_ address: NetworkAddress) -> Bool {
        address.isLoopback || entries.contains { $0.contains(address) }
            || paired.withLock { $0.values.contains { $0.contains(address.bytes) } }
    }

    /// Lets an address send for as long as the device that came from it is paired, or until the program ends.
    public func admit(_ address: NetworkAddress, device: String) {
        paired.withLock { known in
            if known[device, default: []].count < Self.mostAddresses { known[device, default: []].insert(address.bytes) }
        }
    }

    /// Ends what ``admit(_:device:)`` began.
    public func dismiss(device: String) { paired.withLock { $0[device] = nil } }

    /// Remembers an address that was refused; true the first time, for the first ``mostStrangers`` of them.
    func noteStranger(_ address: NetworkAddress) -> Bool {
        strangers.withLock { strangers in
            guard strangers.known.count < Self.mostStrangers, strangers.known.insert(address.bytes).inserted else {
                return false
            }
            strangers.unsaid.append(address)
            return true
        }
    }

    /// Addresses that were refused for the first time since the last call.
    func takeStrangers() -> [NetworkAddress] {
        strangers.withLock { strangers in
            defer { strangers.unsaid = [] }
            return strangers.unsaid
        }
    }
}
