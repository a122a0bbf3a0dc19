/// IP address and port of one end of a datagram. IPv4 addresses are kept in their IPv6-mapped form.
public struct NetworkAddress: BitwiseCopyable, Sendable, Hashable {
    /// In network order.
    public var bytes: SIMD16<UInt8>
    public var port: UInt16
    /// Interface of a link-local address; 0 elsewhere.
    public var scope: UInt16

    public init(bytes: SIMD16<UInt8>, port: UInt16 = 0, scope: UInt16 = 0) {
        self.bytes = bytes
        self.port = port
        self.scope = scope
    }

    /// The address without the port, equal for all programs of a machine.
    public var machine: NetworkAddress { NetworkAddress(bytes: bytes, scope: scope) }

    /// Sender of messages that come from inside the program.
    public static let nowhere = NetworkAddress(bytes: .zero)

    /// True for the prefix 100::/64, which no client has: parts of the program that send messages are distinguished by it.
    var isOfProgram: Bool { bytes[0] == 1 && (1..<8).allSatisfy { bytes[$0] == 0 } }

    public var isIPv4: Bool {
        for i in 0..<10 where bytes[i] != 0 { return false }
        return bytes[10] == 0xFF && bytes[11] == 0xFF
    }

    /// True for 127.0.0.0/8 and ::1, which stay on this machine.
    public var isLoopback: Bool {
        if isIPv4 { return bytes[12] == 127 }
        for i in 0..<15 where bytes[i] != 0 { return false }
        return bytes[15] == 1
    }

    /// The address in its usual notation, without the port.
    public var host: String {
        if isIPv4 { return (12..<16).map { "\(bytes[$0])" }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

extension NetworkAddress {
    /// Two words instead of 16 bytes: addresses are compared and hashed for every message.
    private var halves: SIMD2<UInt64> {
        // SAFETY: both types have 16 bytes, and every bit pattern is valid.
        unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    }

    public static func == (one: Self, other: Self) -> Bool {
        one.port == other.port && one.scope == other.scope && one.halves[0] == other.halves[0] && one.halves[1] == other.halves[1]
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(halves[0])
        hasher.combine(halves[1])
        hasher.combine(UInt32(port) << 16 | UInt32(scope))
    }
}

extension NetworkAddress: CustomStringConvertible {
    public var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
