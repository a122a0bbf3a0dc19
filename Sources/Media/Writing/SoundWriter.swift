internal import CSndFile
internal import Glibc

/// Writes a sound file of any number of channels as 32-bit floats.
///
/// The extension selects the container: `.wav` (converted to RF64 automatically beyond 4 GB), `.rf64`, `.w64`, `.caf`.
/// The data is written to a temporary file in the same folder, which ``finish()`` renames to `path`, so that a
/// partial file never appears there; without `finish` nothing remains. Not thread-safe and not realtime-safe.
public final class SoundWriter {
    public let path: String
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    /// Number of frames written.
    public private(set) var frames = 0
    private let partial: String
    private let container: Int
    private var handle: OpaquePointer?

    /// Supported file name extensions.
    public static let extensions = ["wav", "rf64", "w64", "caf"]

    /// - Parameters:
    ///   - channels: 1 to 1024.
    ///   - rate: frames per second, 1 or more.
    public init(path: String, channels: Int, rate: Int) throws(MediaError) {
        container = try Self.container(of: path)
        guard (1...1024).contains(channels), rate > 0, rate <= Int(Int32.max) else {
            throw MediaError(
                "\(path) cannot have \(channels) channels at \(rate) Hz: a file needs 1 to 1024 channels and a rate "
                    + "above zero.")
        }
        guard !Self.isFolder(path) else {
            throw MediaError("\(path) is a folder, not a sound file. Name a file in it.")
        }
        self.path = path
        self.channels = channels
        self.rate = rate
        partial = "\(path).\(String(UInt32.random(in: 0...UInt32.max), radix: 36)).partial"
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(rate)
        info.format = Int32(container) | Int32(SF_FORMAT_FLOAT)
        handle = sf_open(partial, Int32(SFM_WRITE), &info)
        guard let handle else {
            throw MediaError("\(path) cannot be written: \(Self.reason(at: path, String(cString: sf_strerror(nil)))).")
        }
        if path.lowercased().hasSuffix(".wav") {
            sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
        }
    }

    deinit {
        guard handle != nil else { return }
        sf_close(handle)
        unlink(partial)
    }

    /// - Parameter interleaved: `frames * channels` samples.
    public func write(_ interleaved: UnsafePointer<Float>, frames count: Int) throws(MediaError) {
        guard let handle else { throw MediaError("\(path) is finished; nothing more can be written to it.") }
        guard sf_writef_float(handle, interleaved, sf_count_t(count)) == sf_count_t(count) else {
            throw failure(String(cString: sf_strerror(handle)))
        }
        frames += count
    }

    /// Completes the header and renames the file to `path`, replacing any existing file.
    public func finish() throws(MediaError) {
        guard let open = handle else { return }
        handle = nil
        sf_write_sync(open)
        let closed = sf_close(open)
        if closed == 0, container == Int(SF_FORMAT_RF64) { PeakChunk.clearTime(path: partial) }
        guard closed == 0, rename(partial, path) == 0 else {
            let reason = closed == 0 ? String(cString: strerror(errno)) : String(cString: sf_error_number(closed))
            unlink(partial)
            throw failure(reason)
        }
    }

    private func failure(_ reason: String) -> MediaError {
        MediaError(
            "\(path) could not be written beyond frame \(frames): \(reason). Is the disk full? "
                + "\(channels) channels at \(rate) Hz take \(channels * rate * 4 / 1000) kB per second.")
    }

    private static func container(of path: String) throws(MediaError) -> Int {
        let name = path.split(separator: "/").last ?? ""
        let dot = name.lastIndex(of: ".")
        switch dot.map({ name[$0...].dropFirst().lowercased() }) {
        case "wav", "rf64": return Int(SF_FORMAT_RF64)
        case "w64": return Int(SF_FORMAT_W64)
        case "caf": return Int(SF_FORMAT_CAF)
        default:
            throw MediaError(
                "\(path) has no extension of a known kind of sound file. End its name in "
                    + "\(extensions.map { "." + $0 }.joined(separator: ", ")).")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func reason(at path: String, _ fallback: String) -> String {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if !isFolder(folder) { return "there is no folder \(folder); make it first" }
        return access(folder, W_OK) == 0 ? fallback : "the folder \(folder) is not writable"
    }
}
