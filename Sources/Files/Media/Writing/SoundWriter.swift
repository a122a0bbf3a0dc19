internal import CSndFile
public import FileOutput
internal import Glibc

/// Writes a sound file of any number of channels as 32-bit floats.
///
/// The extension selects the container: `.wav` (converted to RF64 automatically beyond 4 GB), `.rf64`, `.w64`, `.caf`.
/// The file appears at its path when ``finish()`` has completed it; without `finish` nothing remains. Not thread-safe and
/// not realtime-safe.
public final class SoundWriter {
    public var path: String { output.path }
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    /// Number of frames written.
    public private(set) var frames = 0
    private let output: OutputFile
    private let container: Int
    private var handle: OpaquePointer?

    /// Supported file name extensions.
    public static let extensions = ["wav", "rf64", "w64", "caf"]

    /// Writes to a new file.
    /// - Throws: ``MediaError``, also when there is a file already.
    public convenience init(path: String, channels: Int, rate: Int) throws(MediaError) {
        _ = try Self.container(of: path)
        let output: OutputFile
        do { output = try OutputFile(path) } catch { throw MediaError("\(error).") }
        try self.init(output, channels: channels, rate: rate)
    }

    /// - Parameters:
    ///   - output: opened, and still empty; the writer finishes it.
    ///   - channels: 1 to 1024.
    ///   - rate: frames per second, 1 or more.
    public init(_ output: OutputFile, channels: Int, rate: Int) throws(MediaError) {
        let path = output.path
        container = try Self.container(of: path)
        guard (1...1024).contains(channels), rate > 0, rate <= Int(Int32.max) else {
            throw MediaError(
                "\(path) cannot have \(counted(channels, "channel")) at \(rate) Hz: a file needs 1 to 1024 channels and a rate "
                    + "above zero.")
        }
        self.output = output
        self.channels = channels
        self.rate = rate
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(rate)
        info.format = Int32(container) | Int32(SF_FORMAT_FLOAT)
        handle = SoundHandle.open(output.descriptor, mode: SFM_WRITE, &info)
        guard let handle else { throw MediaError("\(path) cannot be written: \(String(cString: sf_strerror(nil))).") }
        if path.lowercased().hasSuffix(".wav") {
            sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
        }
    }

    deinit {
        if handle != nil { sf_close(handle) }
    }

    /// - Parameter interleaved: `frames * channels` samples.
    public func write(_ interleaved: UnsafePointer<Float>, frames count: Int) throws(MediaError) {
        guard let handle else { throw MediaError("\(path) is finished; nothing more can be written to it.") }
        guard sf_writef_float(handle, interleaved, sf_count_t(count)) == sf_count_t(count) else {
            throw failure(String(cString: sf_strerror(handle)))
        }
        frames += count
    }

    /// Writes the header for the frames so far, so that a program that reads the incomplete file finds them.
    /// - Parameter isSynced: whether to wait until everything is on the disk.
    public func update(isSynced: Bool) throws(MediaError) {
        guard let handle else { return }
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        guard isSynced else { return }
        do { try output.sync() } catch { throw failure(error.reason) }
    }

    /// Completes the header and lets the file appear at its path.
    public func finish() throws(MediaError) {
        guard let open = handle else { return }
        handle = nil
        sf_write_sync(open)
        let closed = sf_close(open)
        guard closed == 0 else { throw failure(String(cString: sf_error_number(closed))) }
        if container == Int(SF_FORMAT_RF64) {
            PeakChunk.clearTime(output.descriptor)
            FormatChunk.simplify(output.descriptor)
        }
        do { try output.finish() } catch { throw MediaError("\(error).") }
    }

    private func failure(_ reason: String) -> MediaError {
        MediaError(
            "\(path) could not be written beyond frame \(frames): \(reason)\(reason.hasSuffix(".") ? "" : ".") Is the disk full? "
                + "\(counted(channels, "channel")) at \(rate) Hz need \(channels * rate * 4 / 1000) kB per second.")
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
}
