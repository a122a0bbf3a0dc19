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

/// Writes a stereo sound file and measures what is written. Not thread-safe and not realtime-safe.
public final class MeasuredWriter {
    private let writer: SoundWriter
    private let meter: LoudnessMeter

    /// - Parameter writer: of two channels.
    public init(_ writer: SoundWriter) throws(MediaError) {
        self.writer = writer
        meter = try LoudnessMeter(rate: writer.rate)
    }

    /// Levels of everything that was written.
    public var loudness: Loudness { meter.loudness }

    /// - Parameter interleaved: `frames` stereo frames.
    public func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws(MediaError) {
        try meter.add(interleaved, frames: frames)
        try writer.write(interleaved, frames: frames)
    }

    public func finish() throws(MediaError) { try writer.finish() }
}

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
