public import Hub
internal import Synchronization

/// Decides which addresses may send OSC: this machine always, others when listed or used by a paired client.
///
/// Source addresses of datagrams can be forged, so lists of addresses are only for networks whose members are trusted.
public final class OSCAdmission: Sendable {
    private struct Strangers {
        var known: Set<SIMD16<UInt8>> = []
        var unreported: [NetworkAddress] = []
    }

    /// Maximum number of refused addresses remembered so that each is reported once.
    private static let maximumStrangers = 64
    private let entries: [AddressRange]
    private let strangers = Mutex(Strangers())
    /// Addresses used by paired clients, by client.
    private let paired = Mutex<[String: Set<SIMD16<UInt8>>]>([:])
    /// Maximum number of addresses remembered per client.
    private static let maximumAddresses = 8

    /// - Parameter entries: addresses and networks that may send, besides this machine.
    public init(_ entries: [AddressRange] = []) { self.entries = entries }

    public func admits(_ address: NetworkAddress) -> Bool {
        address.isLoopback || entries.contains { $0.contains(address) }
            || paired.withLock { $0.values.contains { $0.contains(address.bytes) } }
    }

    /// Admits an address for as long as the client that uses it is paired, or until the program ends.
    public func admit(_ address: NetworkAddress, client: String) {
        paired.withLock { known in
            if known[client, default: []].count < Self.maximumAddresses { known[client, default: []].insert(address.bytes) }
        }
    }

    /// Revokes the addresses admitted by ``admit(_:client:)``.
    public func dismiss(client: String) { paired.withLock { $0[client] = nil } }

    /// Remembers a refused address. Returns true the first time, for at most ``maximumStrangers`` addresses.
    func noteStranger(_ address: NetworkAddress) -> Bool {
        strangers.withLock { strangers in
            guard strangers.known.count < Self.maximumStrangers, strangers.known.insert(address.bytes).inserted else {
                return false
            }
            strangers.unreported.append(address)
            return true
        }
    }

    /// Returns the addresses refused for the first time since the last call.
    func takeStrangers() -> [NetworkAddress] {
        strangers.withLock { strangers in
            defer { strangers.unreported = [] }
            return strangers.unreported
        }
    }
}

/// An address, or a network such as `192.168.1.0/24`.
public struct AddressRange: Sendable, Equatable {
    private let bytes: SIMD16<UInt8>
    /// Number of leading bits, of 128, that must match.
    private let bits: Int

    /// - Returns: nil when the text is neither a numeric address nor a network.
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

    public func contains(_ address: NetworkAddress) -> Bool {
        for i in 0..<16 {
            let left = bits - 8 * i
            if left <= 0 { return true }
            let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
            if (bytes[i] ^ address.bytes[i]) & mask != 0 { return false }
        }
        return true
    }
}
