internal import Glibc

/// The format chunk of a float WAV or RF64 file.
///
/// libsndfile 1.2.0 writes WAVE_FORMAT_EXTENSIBLE into RF64 files, and into WAV files that began as RF64. SoX takes every such chunk
/// of a float file for one that lacks its extension. WAVE_FORMAT_IEEE_FLOAT with an empty extension says the same and is read by all.
enum FormatChunk {
    /// Bytes of the extensible chunk with its head.
    private static let extensible = 48

    /// Replaces the chunk in an open file by a plain one, after a JUNK chunk that fills its place; leaves other files unchanged.
    static func simplify(_ file: Int32) {
        guard let place = place(file) else { return }
        var old = [UInt8](repeating: 0, count: extensible)
        guard pread(file, &old, old.count, off_t(place)) == old.count else { return }
        // The first field of the subformat is the format of the samples.
        let float: [UInt8] = [3, 0]
        guard Array(old[32..<34]) == float else { return }
        var new = Array("JUNK".utf8) + [14, 0, 0, 0] + [UInt8](repeating: 0, count: 14)
        new += Array("fmt ".utf8) + [18, 0, 0, 0] + float + old[10..<24] + [0, 0]
        pwrite(file, new, new.count, off_t(place))
    }

    /// Offset of the chunk; nil when the file has no extensible one.
    private static func place(_ file: Int32) -> Int? {
        var place = 12
        var head = [UInt8](repeating: 0, count: 10)
        while pread(file, &head, head.count, off_t(place)) == head.count, !head.starts(with: "data".utf8) {
            if head.starts(with: "fmt ".utf8) { return Array(head[4..<10]) == [40, 0, 0, 0, 0xFE, 0xFF] ? place : nil }
            let size = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            place += 8 + size + size & 1
        }
        return nil
    }
}
