internal import Glibc

/// The PEAK chunk, in which libsndfile stores the peaks of a float WAV or RF64 file and the time of day.
///
/// libsndfile 1.2.0 cannot omit it from an RF64 file; with the time cleared, equal sounds give equal files.
enum PeakChunk {
    /// Sets the time of day in an open file to zero; leaves a file without the chunk unchanged.
    static func clearTime(_ file: Int32) {
        var place = 12
        var head: (id: UInt32, size: UInt32) = (0, 0)
        while pread(file, &head, 8, place) == 8, head.id != tag("data") {
            if head.id == tag("PEAK") {
                var zero: UInt32 = 0
                pwrite(file, &zero, 4, place + 12)
                return
            }
            place += 8 + Int(UInt32(littleEndian: head.size)) + Int(head.size & 1)
        }
    }

    private static func tag(_ letters: StaticString) -> UInt32 {
        letters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
