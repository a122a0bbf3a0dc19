/// One end of a datagram: an IP address and a port. IPv4 is kept as IPv6 keeps it, mapped.
public struct NetworkAddress: BitwiseCopyable, Sendable, Hashable {
    /// In network order.
    public var bytes: SIMD16<UInt8>
    public var port: UInt16
    /// The interface of a link-local address; 0 elsewhere.
    public var scope: UInt16

    public init(bytes: SIMD16<UInt8>, port: UInt16 = 0, scope: UInt16 = 0) {
        self.bytes = bytes
        self.port = port
        self.scope = scope
    }

    /// The sender of what came from inside of the program.
    public static let nowhere = NetworkAddress(bytes: .zero)

    public var isIPv4: Bool {
        for i in 0..<10 where bytes[i] != 0 { return false }
        return bytes[10] == 0xFF && bytes[11] == 0xFF
    }

    /// 127.0.0.0/8 and ::1: this machine, whatever its network.
    public var isLoopback: Bool {
        if isIPv4 { return bytes[12] == 127 }
        for i in 0..<15 where bytes[i] != 0 { return false }
        return bytes[15] == 1
    }

    /// The address as a person writes it, without the port.
    public var host: String {
        if isIPv4 { return (12..<16).map { "\(bytes[$0])" }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
}

extension NetworkAddress {
    /// What is compared and hashed for every message is not taken byte by byte.
    private var halves: SIMD2<UInt64> {
        // SAFETY: 16 bytes become 16 bytes, and every pattern is a value.
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
