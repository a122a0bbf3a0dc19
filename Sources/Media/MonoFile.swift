internal import CSndFile
internal import Glibc

/// A mono sound file of any kind that libsndfile reads, at the rate it has.
///
/// For one thread at a time.
public final class MonoFile: MonoSource {
    public let name: String
    public let rate: Int
    public let frames: Int
    private let path: String
    private let handle: OpaquePointer

    public init(path: String) throws(MediaError) {
        var info = SF_INFO()
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else {
            let reason =
                access(path, R_OK) == 0 ? String(cString: sf_strerror(nil)) : String(cString: strerror(errno))
            throw MediaError("\(path) cannot be read as a source: \(reason). Name a WAV, FLAC, AIFF or Ogg file.")
        }
        let refusal: String? =
            if info.channels != 1 {
                "\(path) has \(info.channels) channels, and a source is one point in space, so it must be mono. "
                    + "Make a file of each channel, or mix them, and give each its own direction."
            } else if info.frames <= 0 || info.samplerate <= 0 {
                "\(path) has no sound in it. Leave it out, or name another file."
            } else if info.seekable == 0 {
                "\(path) can only be read once from its start. Copy it to a disk first."
            } else {
                nil
            }
        if let refusal {
            sf_close(handle)
            throw MediaError(refusal)
        }
        self.path = path
        self.handle = handle
        name = Self.title(of: path)
        rate = Int(info.samplerate)
        frames = Int(info.frames)
    }

    deinit { sf_close(handle) }

    public func seek(to frame: Int) throws(MediaError) {
        guard sf_seek(handle, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else { throw broken(frame) }
    }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        let got = Int(sf_readf_float(handle, target, sf_count_t(count)))
        guard sf_error(handle) == 0 else { throw broken(nil) }
        for i in 0..<got where !target[i].isFinite {
            throw MediaError(
                "\(path) holds a sample that is not a number, which would silence the whole scene. Repair the file.")
        }
        return got
    }

    private func broken(_ frame: Int?) -> MediaError {
        let place = frame.map { " from frame \($0)" } ?? ""
        return MediaError(
            "\(path) cannot be read\(place): \(String(cString: sf_strerror(handle))). "
                + "The file may be cut short; convert it with another program.")
    }

    /// The last part of a path without its extension.
    static func title(of path: String) -> String {
        let last = path.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
        return String(last[..<dot])
    }
}
