internal import Glibc

/// Hash table from the bytes of an address to a number, used for the fast path of most messages.
///
/// A new address replaces an existing one with the same table position.
struct AddressBook {
    private static let places = 4096
    /// Maximum length in bytes; longer addresses are not stored.
    private static let maximumLength = 64

    private struct Entry {
        var hash: UInt64 = 0
        var length: Int32 = 0
        var number: Int32 = 0
    }

    private var entries = [Entry](repeating: .init(), count: places)
    private var bytes = [UInt8](repeating: 0, count: places * maximumLength)

    /// FNV-1a (Fowler, Noll, Vo 1991) over words of 64 bits; the last word is padded with zeros.
    static func hash(_ address: UnsafeRawBufferPointer) -> UInt64 {
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
            // Multiplication alone would never carry the upper bits of a word into the table position.
            hash ^= hash >> 29
            at += 8
        }
        return hash
    }

    /// Returns the number stored for an address; nil when there is none.
    func number(of address: UnsafeRawBufferPointer) -> Int? {
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        let entry = entries[place]
        guard entry.hash == hash, entry.length == address.count, !address.isEmpty else { return nil }
        // SAFETY: every place has `maximumLength` bytes, and no entry is longer.
        let isSame = bytes.withUnsafeBytes {
            memcmp($0.baseAddress! + place * Self.maximumLength, address.baseAddress!, address.count) == 0
        }
        return isSame ? Int(entry.number) : nil
    }

    /// Stores a number for an address.
    mutating func insert(_ address: UnsafeRawBufferPointer, _ number: Int) {
        guard !address.isEmpty, address.count <= Self.maximumLength else { return }
        let hash = Self.hash(address)
        let place = Int(hash % UInt64(Self.places))
        entries[place] = Entry(hash: hash, length: Int32(address.count), number: Int32(number))
        for (i, byte) in address.enumerated() { bytes[place * Self.maximumLength + i] = byte }
    }

    mutating func removeAll() {
        for i in entries.indices { entries[i].length = 0 }
    }
}
