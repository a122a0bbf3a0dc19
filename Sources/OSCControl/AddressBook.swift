/// Addresses that are known to be no tracker's, as the bytes they come in: most messages are looked up here alone.
///
/// A table with a place for each hash; of two addresses with the same place the later one stays.
struct KnownAddresses {
    private static let places = 1024
    /// Longer ones are not kept.
    private static let longest = 64

    private var hashes = [UInt64](repeating: 0, count: places)
    private var lengths = [UInt8](repeating: 0, count: places)
    private var bytes = [UInt8](repeating: 0, count: places * longest)

    /// FNV-1a, 64 bits (Fowler, Noll, Vo 1991).
    private static func hash(_ address: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in address { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    func contains(_ address: UnsafeRawBufferPointer) -> Bool {
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        guard hashes[place] == hash, Int(lengths[place]) == address.count, !address.isEmpty else { return false }
        return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[place * Self.longest..<place * Self.longest + address.count]).elementsEqual(address) }
    }

    mutating func insert(_ address: UnsafeRawBufferPointer) {
        guard !address.isEmpty, address.count <= Self.longest else { return }
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        hashes[place] = hash
        lengths[place] = UInt8(address.count)
        for (i, byte) in address.enumerated() { bytes[place * Self.longest + i] = byte }
    }

    mutating func removeAll() {
        for i in lengths.indices { lengths[i] = 0 }
    }
}
