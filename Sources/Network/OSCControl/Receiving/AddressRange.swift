public import Hub

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
