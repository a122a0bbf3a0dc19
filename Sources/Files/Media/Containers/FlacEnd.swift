internal import Files

/// The last complete frame of a FLAC file, from the frames themselves: the header may state another length, or none.
struct FlacEnd {
    /// Samples of each channel up to the end of that frame.
    let frames: Int
    /// Samples of each channel that the header states; 0 for none.
    let stated: Int
    /// The file's first bytes with the right length in them.
    let header: [UInt8]
    /// Offset of the end of that frame.
    let end: Int

    /// Bytes of the marker `fLaC` and the STREAMINFO block, in which the rate begins at byte 18 and the length ends before byte 26.
    private static let headerSize = 42
    /// Most bytes at the end of the file that are searched: no three frames take more.
    private static let most = 8 << 20

    /// - Returns: nil when this is no FLAC file, or no complete frame is near its end.
    init?(_ file: RegularFile) {
        func read(_ place: Int, _ count: Int) -> [UInt8]? {
            guard count >= 0, count <= file.size - place else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            return bytes.withUnsafeMutableBytes({ file.read(into: $0, at: place) }) ? bytes : nil
        }
        guard var header = read(0, Self.headerSize), header.starts(with: "fLaC".utf8), header[4] & 0x7F == 0 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        let blockSize = number(header[10..<12])
        stated = number(header[21..<26]) & 0xF_FFFF_FFFF
        var place = 4
        while let block = read(place, 4) {
            place += 4 + number(block[1...])
            if block[0] & 0x80 != 0 { break }
        }
        let first = max(place, file.size - Self.most)
        guard let bytes = read(first, file.size - first) else { return nil }
        guard let found = Self.last(bytes, blockSize: blockSize), found.frames > 0, found.frames < 1 << 36 else { return nil }
        (frames, end) = (found.frames, first + found.end)
        header[21] = header[21] & 0xF0 | UInt8(frames >> 32)
        for i in 0..<4 { header[22 + i] = UInt8(truncatingIfNeeded: frames >> (24 - 8 * i)) }
        self.header = header
    }

    /// The last frame whose checksum is right: the samples up to its end, and its end in these bytes.
    private static func last(_ bytes: [UInt8], blockSize: Int) -> (frames: Int, end: Int)? {
        var starts: [(place: Int, frames: Int)] = []
        for place in bytes.indices where bytes[place] == 0xFF {
            if let frames = FlacFrame(bytes[place...], blockSize: blockSize)?.end { starts.append((place, frames)) }
        }
        for number in starts.indices.reversed() {
            // The frame ends at the end of the bytes or at one of the next starts, few of which are false.
            for end in ([bytes.count] + starts[(number + 1)...].map(\.place).reversed()).suffix(4).reversed()
            where FlacFrame.checksum(bytes[starts[number].place..<end]) == 0 { return (starts[number].frames, end) }
        }
        return nil
    }
}

/// The header of a FLAC frame.
private struct FlacFrame {
    /// Samples of each channel from the beginning of the stream to the end of the frame.
    let end: Int

    /// - Returns: nil when no frame begins here.
    init?(_ bytes: ArraySlice<UInt8>, blockSize streamSize: Int) {
        let bytes = Array(bytes.prefix(16))
        guard bytes.count == 16, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[3] & 1 == 0, bytes[3] >> 4 < 11 else { return nil }
        let isVariable = bytes[1] & 1 == 1
        let (sizeCode, rateCode) = (bytes[2] >> 4, bytes[2] & 15)
        guard sizeCode > 0, rateCode < 15 else { return nil }
        // The frame's or the sample's number, in as many bytes as UTF-8 would take.
        let ones = (~bytes[4]).leadingZeroBitCount
        guard ones != 1, ones < 8 else { return nil }
        var number = ones == 0 ? Int(bytes[4]) : Int(bytes[4] & (0x7F >> ones))
        var place = 5
        for _ in 1..<max(ones, 1) {
            guard bytes[place] & 0xC0 == 0x80 else { return nil }
            number = number << 6 | Int(bytes[place] & 0x3F)
            place += 1
        }
        let size: Int
        switch sizeCode {
        case 1: size = 192
        case 2...5: size = 576 << Int(sizeCode - 2)
        case 6:
            size = Int(bytes[place]) + 1
            place += 1
        case 7:
            size = (Int(bytes[place]) << 8 | Int(bytes[place + 1])) + 1
            place += 2
        default: size = 256 << Int(sizeCode - 8)
        }
        place += rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0
        guard place < 16, Self.headerChecksum(bytes[..<place]) == bytes[place] else { return nil }
        end = (isVariable ? number : number * streamSize) + size
    }

    private static func headerChecksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
        }
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }

    /// CRC-16 of a whole frame including its stored CRC; 0 for an intact frame.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 8) ^ Int($1)] }
    }
}
