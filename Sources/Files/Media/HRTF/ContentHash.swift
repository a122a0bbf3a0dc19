/// A name for the contents of a file, by which results computed from it are found again: FNV-1a with 128 bits (Fowler,
/// Noll, Vo).
///
/// Not cryptographic: it does not protect against deliberate collisions.
public struct ContentHash: Sendable, Equatable, CustomStringConvertible {
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    public init() {}

    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var hash = state
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        state = hash
    }

    public mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The hash as 32 hexadecimal digits.
    public var description: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
