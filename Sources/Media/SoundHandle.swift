internal import CSndFile
internal import Glibc

/// Opens libsndfile on a descriptor that stays with its owner.
///
/// libsndfile 1.2.0 closes the descriptor when opening fails, also where it is told not to. By then its number may belong to another
/// file or socket of the program, which the owner would close. So libsndfile is given a duplicate that it always closes.
enum SoundHandle {
    /// - Parameters:
    ///   - descriptor: open for reading or writing; the place in the file is shared with it.
    ///   - mode: `SFM_READ` or `SFM_WRITE`.
    /// - Returns: nil when this is no sound file, or cannot be written in that format; `sf_strerror(nil)` says why.
    static func open(_ descriptor: Int32, mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        sf_open_fd(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), Int32(mode), &info, Int32(SF_TRUE))
    }
}
