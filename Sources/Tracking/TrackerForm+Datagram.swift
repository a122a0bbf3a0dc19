extension TrackerForm.Datagram {
    /// Numbers that it holds for us.
    var count: Int { self == .opentrack ? 6 : 3 }

    /// - Returns: the numbers of a datagram; nil when its length or flags are others.
    func numbers(_ bytes: UnsafeRawBufferPointer) -> [Double]? {
        switch self {
        case .opentrack:
            guard bytes.count == 48 else { return nil }
            return (0..<6).map {
                Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)))
            }
        case .freePIE:
            guard bytes.count == 50, bytes[1] & 2 != 0 else { return nil }
            let start = bytes[1] & 1 != 0 ? 9 : 0
            return (start..<(start + 3)).map {
                let word = bytes.loadUnaligned(fromByteOffset: 2 + 4 * $0, as: UInt32.self)
                return Double(Float(bitPattern: UInt32(littleEndian: word)))
            }
        }
    }

    func bytes(_ numbers: [Double]) -> [UInt8] {
        switch self {
        case .opentrack:
            return numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
        case .freePIE:
            let words = numbers.flatMap { withUnsafeBytes(of: Float($0).bitPattern.littleEndian, Array.init) }
            return [0, 2] + words + [UInt8](repeating: 0, count: 48 - words.count)
        }
    }
}
