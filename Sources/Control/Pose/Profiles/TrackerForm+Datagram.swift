extension TrackerForm {
    /// Returns the numbers of a datagram, one per field; nil when its length or kind does not match.
    func numbers(_ bytes: UnsafeRawBufferPointer) -> [Double]? {
        switch datagram {
        case nil: nil
        case .opentrack: bytes.count == 48 ? Self.plain(.float64LE, bytes, at: 0, count: 6) : nil
        case .freePIE:
            bytes.count == 50 && bytes[1] & 2 != 0
                ? Self.plain(.float32LE, bytes, at: 2 + (bytes[1] & 1 != 0 ? 36 : 0), count: 3) : nil
        case .line: Self.line(bytes, count: layout.count)
        case .eighteen: Self.eighteen(bytes)
        case .supperwareAngles: Self.supperware(bytes, kind: 0, count: layout.count)
        case .supperwareQuaternion: Self.supperware(bytes, kind: 1, count: layout.count)
        case .controllers:
            bytes.count == 2 * layout.count ? layout.indices.map { Double(Self.fourteen(bytes, at: 2 * $0)) / 8192 - 1 } : nil
        case .some(let kind): Self.plain(kind, bytes, at: offset, count: layout.count)?.map { $0 * scale }
        }
    }

    /// Returns the bytes of a datagram: the inverse of ``numbers(_:)``.
    func bytes(_ numbers: [Double]) -> [UInt8] {
        func fourteen(_ number: Int) -> [UInt8] { [UInt8(number >> 7 & 0x7F), UInt8(number & 0x7F)] }
        func whole(_ number: Double, _ range: ClosedRange<Int>) -> Int {
            let rounded = number.rounded()
            return rounded.isFinite ? min(max(Int(clamping: max(min(rounded, 1e9), -1e9)), range.lowerBound), range.upperBound) : 0
        }
        switch datagram {
        case nil: return []
        case .opentrack: return numbers.flatMap { Self.bytes($0, .float64LE) }
        case .freePIE:
            let words = numbers.flatMap { Self.bytes($0, .float32LE) }
            return [0, 2] + words + [UInt8](repeating: 0, count: 48 - words.count)
        case .line: return Array(numbers.map { Self.text($0) }.joined(separator: ",").utf8)
        case .eighteen: return numbers.flatMap { Array(Self.six($0).utf8) }
        case .supperwareAngles, .supperwareQuaternion:
            let kind: UInt8 = datagram == .supperwareAngles ? 0 : 1
            return [0x00, 0x21, 0x42, 0x40, kind] + numbers.flatMap { fourteen(whole($0 * 2048, -8192...8191) & 0x3FFF) }
        case .controllers: return numbers.flatMap { fourteen(whole(($0 + 1) * 8192, 0...16_383)) }
        case .some(let kind):
            return [UInt8](repeating: 0, count: offset) + numbers.flatMap { Self.bytes($0 / scale, kind) }
        }
    }

    // MARK: Binary numbers

    private static func plain(_ kind: Datagram, _ bytes: UnsafeRawBufferPointer, at start: Int, count: Int) -> [Double]? {
        let size = kind.size
        guard size > 0, bytes.count >= start + size * count else { return nil }
        func load<Word: FixedWidthInteger>(_ index: Int, as: Word.Type) -> Word {
            bytes.loadUnaligned(fromByteOffset: start + size * index, as: Word.self)
        }
        return (0..<count).map { index in
            switch kind {
            case .float32LE: Double(Float(bitPattern: UInt32(littleEndian: load(index, as: UInt32.self))))
            case .float32BE: Double(Float(bitPattern: UInt32(bigEndian: load(index, as: UInt32.self))))
            case .float64LE: Double(bitPattern: UInt64(littleEndian: load(index, as: UInt64.self)))
            case .int16LE: Double(Int16(littleEndian: load(index, as: Int16.self)))
            case .int16BE: Double(Int16(bigEndian: load(index, as: Int16.self)))
            case .int32LE: Double(Int32(littleEndian: load(index, as: Int32.self)))
            default: Double(Int32(bigEndian: load(index, as: Int32.self)))
            }
        }
    }

    private static func bytes(_ number: Double, _ kind: Datagram) -> [UInt8] {
        func all(_ word: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: word, Array.init) }
        let whole = number.rounded()
        return switch kind {
        case .float32LE: all(Float(number).bitPattern.littleEndian)
        case .float32BE: all(Float(number).bitPattern.bigEndian)
        case .float64LE: all(number.bitPattern.littleEndian)
        case .int16LE: all(Int16(exactly: whole)?.littleEndian ?? 0)
        case .int16BE: all(Int16(exactly: whole)?.bigEndian ?? 0)
        case .int32LE: all(Int32(exactly: whole)?.littleEndian ?? 0)
        default: all(Int32(exactly: whole)?.bigEndian ?? 0)
        }
    }

    // MARK: MIDI

    private static func fourteen(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        Int(bytes[offset] & 0x7F) << 7 | Int(bytes[offset + 1] & 0x7F)
    }

    private static func supperware(_ bytes: UnsafeRawBufferPointer, kind: UInt8, count: Int) -> [Double]? {
        guard bytes.count == 5 + 2 * count, bytes.starts(with: [0x00, 0x21, 0x42, 0x40, kind]) else { return nil }
        return (0..<count).map {
            let number = fourteen(bytes, at: 5 + 2 * $0)
            return Double(number >= 0x2000 ? number - 0x4000 : number) / 2048
        }
    }
}

extension TrackerForm.Datagram {
    /// Number of orientation values in the datagram; nil when the layout determines it.
    var count: Int? {
        switch self {
        case .opentrack: 6
        case .freePIE, .eighteen, .supperwareAngles: 3
        case .supperwareQuaternion: 4
        default: nil
        }
    }

    /// Size of one binary number in bytes; 0 for other formats.
    fileprivate var size: Int {
        switch self {
        case .int16LE, .int16BE: 2
        case .float32LE, .float32BE, .int32LE, .int32BE: 4
        case .float64LE: 8
        default: 0
        }
    }
}
