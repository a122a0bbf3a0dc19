internal import CSndFile
internal import Files
internal import Glibc

/// Opens libsndfile on a descriptor that stays with its owner.
///
/// libsndfile 1.2.0 closes the descriptor when opening fails, also where instructed not to. By then its number may belong to another
/// file or socket of the program, which the owner would close. So libsndfile is given a duplicate that it always closes.
enum SoundHandle {
    /// - Parameters:
    ///   - descriptor: open for reading or writing; the place in the file is shared with it.
    ///   - mode: `SFM_READ` or `SFM_WRITE`.
    /// - Returns: nil when this is not a sound file, or cannot be written in that format; `sf_strerror(nil)` states why.
    static func open(_ descriptor: Int32, mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        sf_open_fd(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(mode), &info, Int32(SF_TRUE))
    }

    /// Opens a file with another header for reading.
    /// - Parameter file: has to live until the handle is closed.
    static func read(_ file: PiecedFile, _ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(SoundHandle.pieced($0).size) },
            seek: { offset, origin, file in
                let file = SoundHandle.pieced(file)
                file.seek(Int(offset), from: origin)
                return sf_count_t(file.position)
            },
            read: { target, count, file in
                sf_count_t(SoundHandle.pieced(file).read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
            },
            write: nil,
            tell: { sf_count_t(SoundHandle.pieced($0).position) })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(file).toOpaque())
    }

    private static func pieced(_ pointer: UnsafeMutableRawPointer?) -> PiecedFile {
        Unmanaged<PiecedFile>.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// Opens a file in memory for writing.
    /// - Parameter memory: has to live until the handle is closed.
    static func write(to memory: SoundMemory, _ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(SoundHandle.memory($0).bytes.count) },
            seek: { offset, origin, memory in
                let memory = SoundHandle.memory(memory)
                let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? memory.position : memory.bytes.count
                memory.seek(to: base + Int(offset))
                return sf_count_t(memory.position)
            },
            read: { target, count, memory in
                sf_count_t(SoundHandle.memory(memory).read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
            },
            write: { source, count, memory in
                SoundHandle.memory(memory).write(UnsafeRawBufferPointer(start: source, count: Int(count)))
                return count
            },
            tell: { sf_count_t(SoundHandle.memory($0).position) })
        return sf_open_virtual(&calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(memory).toOpaque())
    }

    private static func memory(_ pointer: UnsafeMutableRawPointer?) -> SoundMemory {
        Unmanaged<SoundMemory>.fromOpaque(pointer!).takeUnretainedValue()
    }
}

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

/// A sound file in memory, for libsndfile to write.
final class SoundMemory {
    private(set) var bytes: [UInt8] = []
    /// Place of the next byte to be read or written.
    private(set) var position = 0

    /// Writes at the position, over earlier bytes and beyond the end.
    func write(_ new: UnsafeRawBufferPointer) {
        if bytes.count < position + new.count { bytes += [UInt8](repeating: 0, count: position + new.count - bytes.count) }
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[position...]).copyMemory(from: new) }
        position += new.count
    }

    /// Reads at the position; returns the number of bytes read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, max(0, bytes.count - position))
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<(position + count)])) }
        position += count
        return count
    }

    /// Moves the position; one before the beginning is the beginning.
    func seek(to place: Int) { position = max(0, place) }
}
