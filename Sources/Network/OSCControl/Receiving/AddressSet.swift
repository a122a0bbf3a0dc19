/// Addresses by their hashes, for a quick test of membership. Rarely holds an address that was not added, never lacks one that was.
struct AddressSet: Sendable {
    /// Hash table: each hash is at its own place or at the next free one; 0 marks a free place.
    private var places: [UInt64]

    init(_ addresses: some Collection<String>, and others: [String] = []) {
        var size = 16
        while size < 2 * (addresses.count + others.count) { size *= 2 }
        places = Array(repeating: 0, count: size)
        for address in addresses { insert(address) }
        for address in others { insert(address) }
    }

    private mutating func insert(_ address: String) {
        var address = address
        let hash = address.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) }
        places[place(of: hash)] = hash
    }

    /// - Parameter address: the bytes of an OSC address, without the zeros at its end.
    func contains(_ address: UnsafeRawBufferPointer) -> Bool { places[place(of: Self.hash(address))] != 0 }

    /// Returns the place of a hash, or the free place for it.
    private func place(of hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0, places[place] != hash { place = (place + 1) & (places.count - 1) }
        return place
    }

    private static func hash(_ address: UnsafeRawBufferPointer) -> UInt64 { max(1, AddressBook.hash(address)) }
}
