internal import CSndFile
internal import FileOutput
internal import Files
internal import Foundation

/// Recordings that are not the microphones of a ring: ambisonics, and the microphones of spherical arrays.
enum SphericalFormat {
    /// Words of names, and whether they stand for ambisonics; others are arrays.
    private static let words: [(word: String, isAmbisonic: Bool)] = [
        ("ambix", true), ("ambisonics", true), ("ambisonic", true), ("bformat", true), ("b-format", true), ("b_format", true),
        ("b format", true), ("fuma", true), ("sn3d", true), ("n3d", true), ("acn", true), ("foa", true), ("hoa", true),
        ("em32", false), ("em64", false), ("eigenmike", false), ("zylia", false), ("zm-1", false), ("zm1", false), ("zm_1", false),
    ]

    /// Numbers of channels of ambisonics of the orders 1 to 7, and of the arrays.
    private static let counts: Set = [4, 9, 16, 19, 25, 32, 36, 49, 64]

    /// A warning about a recording without a description of its microphones, by its name; nil where the name does not say so.
    /// - Parameter file: path of its first file, which is in the recording where that is a folder.
    static func warning(_ path: String, file: String, channels: Int) -> String? {
        guard counts.contains(channels), let (word, isAmbisonic) = word(FilePlace.name(of: path)) ?? word(FilePlace.name(of: file)) else {
            return nil
        }
        let kind =
            isAmbisonic
            ? "By its name (\"\(word)\") it is ambisonic"
            : "By its name (\"\(word)\") it is from a spherical array, whose microphones are not on one circle"
        return "\(path) is played as a ring of \(channels) microphones. \(kind): "
            + "convert it with a decoder for that format. If it is a ring, describe it in \(sidecar(path)): \(example(channels))."
    }

    /// Refuses a file whose header says that it is ambisonic.
    static func refuse(_ file: SoundFile) throws(MediaError) {
        guard let format = file.ambisonicFormat else { return }
        throw MediaError(
            "\(file.path) is ambisonic (\(format)), not a ring of microphones. Convert it with an ambisonic decoder; "
                + "if it is a ring, describe it in \(sidecar(file.path)): \(example(file.channels)).")
    }

    private static func sidecar(_ path: String) -> String { FilePlace.name(of: SceneDescription.sidecar(of: path)) }

    private static func example(_ channels: Int) -> String { "{\"array\": {\"count\": \(channels)}}" }

    /// The first word of a name that stands for a format, between other words.
    static func word(_ name: String) -> (word: String, isAmbisonic: Bool)? {
        let characters = Array(name.precomposedStringWithCanonicalMapping)
        let lower = characters.map { Character(String($0.lowercased().prefix(1))) }
        return words.first { word, _ in
            let letters = Array(word)
            guard characters.count >= letters.count else { return false }
            return (0...characters.count - letters.count).contains { start in
                let end = start + letters.count
                guard Array(lower[start..<end]) == letters else { return false }
                return isEdge(characters, start) && isEdge(characters, end)
            }
        }
    }

    /// Whether a word may begin or end at a position: not between two letters, unless the first is lower-case and the second upper-case,
    /// and not between two digits.
    private static func isEdge(_ name: [Character], _ place: Int) -> Bool {
        guard place > 0, place < name.count else { return true }
        let (before, after) = (name[place - 1], name[place])
        if before.isLetter, after.isLetter { return before.isLowercase && after.isUppercase }
        return !(before.isNumber && after.isNumber)
    }
}

extension SoundFile {
    /// UUIDs of the chunk in which AmbiX files have their matrix: that of the first files, which is text, and the present one.
    private static let chunks: [[UInt8]] = [
        Array("IEM.AT/AMBIX/XML".utf8),
        [0x1A, 0xD3, 0x18, 0xC3, 0x00, 0xE5, 0x55, 0x76, 0xBE, 0x2D, 0x0D, 0xCA, 0x24, 0x60, 0xBC, 0x89],
    ]

    /// The ambisonic format that the header states; nil for none.
    fileprivate var ambisonicFormat: String? {
        if statesBFormat { return "B-format" }
        var place = 8
        guard bytes(4, at: 0).elementsEqual("caff".utf8) else { return nil }
        // Chunks of a CAF file: type, size, contents.
        for _ in 0..<1000 {
            let id = bytes(28, at: place)
            guard id.count == 28 else { return nil }
            let size = id[4..<12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if id[..<4].elementsEqual("uuid".utf8), Self.chunks.contains(Array(id[12...])) { return "AmbiX" }
            if id[..<4].elementsEqual("chan".utf8) {
                switch Int(id[12]) << 8 | Int(id[13]) {
                case 107: return "B-format"
                case 190: return "ACN, SN3D"
                case 191: return "ACN, N3D"
                default: break
                }
            }
            // A chunk of unknown size is the last one.
            guard size < 1 << 60 else { return nil }
            place += 12 + Int(size)
        }
        return nil
    }

    private func bytes(_ count: Int, at place: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { file.read(into: $0, at: place) } ? bytes : []
    }
}
