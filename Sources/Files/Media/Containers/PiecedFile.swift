internal import Files
internal import Glibc

/// A header in memory and a part of an open file after it, for libsndfile to read as one file.
///
/// Its size does not change when the file grows. Beyond the end of a file that has become shorter, nothing is read.
final class PiecedFile {
    private let header: [UInt8]
    private let file: RegularFile
    private let part: Range<Int>
    /// Place of the next byte to be read.
    private(set) var position = 0

    /// - Parameter part: offsets in the file.
    init(header: [UInt8], _ file: RegularFile, part: Range<Int>) { (self.header, self.file, self.part) = (header, file, part) }

    var size: Int { header.count + part.count }

    /// Reads at the position; returns the number of bytes read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        if position < header.count {
            done = min(target.count, header.count - position)
            target.copyBytes(from: header[position..<position + done])
            position += done
        }
        let count = min(target.count - done, size - position)
        guard count > 0 else { return done }
        let rest = UnsafeMutableRawBufferPointer(rebasing: target[done..<done + count])
        guard file.read(into: rest, at: part.lowerBound + position - header.count) else { return done }
        position += count
        return done + count
    }

    /// Moves the position within the file.
    func seek(_ offset: Int, from origin: Int32) {
        let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : size
        position = min(max(0, base.addingReportingOverflow(offset).partialValue), size)
    }
}
