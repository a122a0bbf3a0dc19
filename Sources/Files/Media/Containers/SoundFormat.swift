/// The format chunk of uncompressed sound, and what has to be known of it to find the end of the sound.
struct SoundFormat {
    /// Contents of the chunk.
    let bytes: [UInt8]
    /// Bytes of a frame.
    let frameSize: Int

    /// - Returns: nil for compressed sound, whose length does not follow from its size.
    init?(_ bytes: [UInt8], _ container: Container) {
        func number(_ place: Int, _ count: Int) -> Int { Int(clamping: container.number(bytes[place..<place + count])) }
        func name(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: Unicode.ASCII.self) }
        let frameSize: Int
        switch container {
        case .wave, .rifx, .rf64, .w64:
            guard bytes.count >= 16 else { return nil }
            // The first field of an extensible format's subformat is the format of the samples.
            let tag = number(0, 2) == 0xFFFE && bytes.count >= 26 ? number(24, 2) : number(0, 2)
            guard Self.plainTags.contains(tag) else { return nil }
            frameSize = number(12, 2) > 0 ? number(12, 2) : number(2, 2) * ((number(14, 2) + 7) / 8)
        case .aiff:
            guard bytes.count >= 18 else { return nil }
            let kind = bytes.count >= 22 ? name(18) : "NONE"
            guard let size = Self.plainKinds[kind] else { return nil }
            frameSize = number(0, 2) * (size > 0 ? size : (number(6, 2) + 7) / 8)
        case .caf:
            guard bytes.count >= 32, ["lpcm", "ulaw", "alaw"].contains(name(8)), number(20, 4) == 1 else { return nil }
            frameSize = number(16, 4)
        }
        guard (1...SoundHeader.channelCounts.upperBound * 8).contains(frameSize) else { return nil }
        (self.bytes, self.frameSize) = (bytes, frameSize)
    }

    /// PCM, float, A-law and µ-law in WAV files.
    private static let plainTags: Set = [1, 3, 6, 7]

    /// Uncompressed kinds of AIFF-C with the bytes of a sample; 0 where these follow from the bits.
    private static let plainKinds = [
        "NONE": 0, "twos": 0, "sowt": 0, "raw ": 0, "in24": 3, "42ni": 3, "in32": 4, "23ni": 4, "fl32": 4, "FL32": 4, "fl64": 8, "FL64": 8,
        "ulaw": 1, "ULAW": 1, "alaw": 1, "ALAW": 1,
    ]
}
