internal import Glibc

/// A number for each address, by the bytes that it comes in: most messages are looked up here alone.
///
/// A table with a place for each hash; of two addresses with the same place the later one stays.
struct AddressBook {
    private static let places = 4096
    /// Bytes; longer ones are not kept.
    private static let longest = 64

    private struct Entry {
        var hash: UInt64 = 0
        var length: Int32 = 0
        var number: Int32 = 0
    }

    private var entries = [Entry](repeating: .init(), count: places)
    private var bytes = [UInt8](repeating: 0, count: places * longest)

    /// FNV-1a (Fowler, Noll, Vo 1991) over words of 64 bits; what is left of the last one is filled up with zeros.
    private static func hash(_ address: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(address.count)
        var at = 0
        while at < address.count {
            var word: UInt64 = 0
            if at + 8 <= address.count {
                word = address.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            } else {
                for i in at..<address.count { word = word << 8 | UInt64(address[i]) }
            }
            hash = (hash ^ word) &* 0x0000_0100_0000_01B3
            // Multiplied alone, what is high in a word would never reach the place in the table.
            hash ^= hash >> 29
            at += 8
        }
        return hash
    }

    /// The number that was kept for an address; nil when none is known.
    func number(of address: UnsafeRawBufferPointer) -> Int? {
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        let entry = entries[place]
        guard entry.hash == hash, entry.length == address.count, !address.isEmpty else { return nil }
        // SAFETY: every place has `longest` bytes, and no entry is longer.
        let isSame = bytes.withUnsafeBytes { memcmp($0.baseAddress! + place * Self.longest, address.baseAddress!, address.count) == 0 }
        return isSame ? Int(entry.number) : nil
    }

    /// Keeps a number for an address.
    mutating func insert(_ address: UnsafeRawBufferPointer, _ number: Int) {
        guard !address.isEmpty, address.count <= Self.longest else { return }
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        entries[place] = Entry(hash: hash, length: Int32(address.count), number: Int32(number))
        for (i, byte) in address.enumerated() { bytes[place * Self.longest + i] = byte }
    }

    mutating func removeAll() {
        for i in entries.indices { entries[i].length = 0 }
    }
}
