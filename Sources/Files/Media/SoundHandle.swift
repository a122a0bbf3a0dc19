internal import CSndFile
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
