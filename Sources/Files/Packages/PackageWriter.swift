internal import FileOutput
internal import Glibc
public import Media
internal import Trust

/// Packs a recording for browsers: chunks of one second, each with its hash, and an index.
///
/// The index is written last: a folder without one is incomplete.
public enum PackageWriter {
    /// Writes a package.
    ///
    /// - Parameters:
    ///   - reader: the recording, at its beginning.
    ///   - title: shown to listeners.
    ///   - coding: of the sound.
    ///   - folder: made here; a folder that has files already is refused.
    ///   - progress: called with the frames done and all frames.
    /// - Throws: `MediaError`.
    public static func write(
        _ reader: inout RecordingReader, title: String, coding: PackageCoding = .lossless, to folder: String,
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(MediaError) -> PackageIndex {
        let (channels, rate) = (reader.channels, Int(clamping: reader.rate))
        if coding != .lossless, rate != Opus.rate {
            throw MediaError(
                "Opus needs \(Opus.rate) frames per second; the recording has \(rate). Pack it without --opus, or convert it.")
        }
        try make(folder)
        var index = PackageIndex(
            title: title, rate: rate, frames: reader.frames, chunkFrames: rate, groups: coding.groups(channels),
            array: SceneDescription(array: reader.array, rate: rate).array)
        let (lead, trail) = coding.margins
        index.coding = coding.name
        if coding != .lossless { (index.lead, index.trail) = (lead, trail) }
        // The sound around the chunk that is written next: its lead, itself, and what has been read after it.
        var window = [Float](repeating: 0, count: lead * channels)
        var isRead = false
        while true {
            while !isRead, window.count < (lead + rate + trail) * channels {
                isRead = try !read(rate, from: &reader, channels: channels, onto: &window)
            }
            let count = min(rate, window.count / channels - lead)
            guard count > 0 else { break }
            try add(window, count: count, coding, to: &index, in: folder)
            window.removeFirst(count * channels)
            progress(min(reader.frames, index.chunks.count * rate), reader.frames)
        }
        do { try write(index.encoded(), to: "\(folder)/\(PackageIndex.file)") } catch { throw MediaError("\(error)") }
        return index
    }

    /// Reads at most this number of frames; returns false at the end.
    private static func read(
        _ frames: Int, from reader: inout RecordingReader, channels: Int, onto window: inout [Float]
    ) throws(MediaError) -> Bool {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames * channels)
        defer { memory.deallocate() }
        let count = try reader.read(into: memory, frames: frames)
        window.append(contentsOf: UnsafeBufferPointer(start: memory, count: count * channels))
        return count > 0
    }

    /// Writes the next chunk.
    /// - Parameter window: the lead, the chunk, and what follows it; interleaved.
    private static func add(
        _ window: [Float], count: Int, _ coding: PackageCoding, to index: inout PackageIndex, in folder: String
    ) throws(MediaError) {
        let channels = index.groups.reduce(0, +)
        let (lead, trail) = coding.margins
        let all = lead + count + trail
        var bytes: [UInt8] = []
        var parts: [Int] = []
        var first = 0
        for group in index.groups {
            var samples = [Float](repeating: 0, count: all * group)
            for frame in 0..<min(all, window.count / channels) {
                for channel in 0..<group { samples[frame * group + channel] = window[frame * channels + first + channel] }
            }
            let part = try coding.bytes(of: samples, channels: group, rate: index.rate)
            bytes += part
            parts.append(part.count)
            first += group
        }
        let number = String(index.chunks.count)
        let name = String(repeating: "0", count: max(0, 5 - number.count)) + number + ".bin"
        try write(bytes, to: "\(folder)/\(name)")
        index.chunks.append(
            PackageIndex.Chunk(file: name, bytes: bytes.count, parts: parts, sha256: Digest.hexadecimal(Digest.sha256(bytes))))
    }

    private static func make(_ folder: String) throws(MediaError) {
        if mkdir(FilePlace.equivalent(folder), 0o777) == 0 { return }
        let reason = errno
        guard reason == EEXIST else { throw MediaError("\(folder) could not be made: \(String(cString: strerror(reason))).") }
        let names = FilePlace.names(in: folder)
        let isIncomplete = !names.isEmpty && names.allSatisfy { $0.hasSuffix(".bin") }
        guard !isIncomplete else {
            throw MediaError("\(folder) holds a package that is incomplete: it was interrupted. Delete it, or name another folder.")
        }
        guard names.isEmpty else {
            throw MediaError("\(folder) exists already and is not an empty folder; name another one.")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        do { try OutputFile.write(bytes, to: path) } catch { throw MediaError("\(error).") }
    }
}

/// Coding of the sound in a package.
public enum PackageCoding: Equatable, Sendable {
    /// FLAC with 24 bits.
    case lossless
    /// Opus, each microphone by itself: kilobits per second of each.
    case opus(bitrate: Int)

    /// Name in the index.
    var name: String { self == .lossless ? "flac" : "opus" }

    /// Frames before and after a chunk that its streams contain as well, so that the codec has settled within them.
    var margins: (lead: Int, trail: Int) { self == .lossless ? (0, 0) : (3840, 960) }

    /// Channels of each stream.
    func groups(_ channels: Int) -> [Int] {
        let most = self == .lossless ? FlacFile.mostChannels : 1
        return stride(from: 0, to: channels, by: most).map { min(most, channels - $0) }
    }

    /// A stream as a file in memory.
    func bytes(of samples: [Float], channels: Int, rate: Int) throws(MediaError) -> [UInt8] {
        switch self {
        case .lossless: try FlacFile.bytes(of: samples, channels: channels, rate: rate)
        case .opus(let bitrate): try OpusFile.bytes(of: samples, bitrate: bitrate)
        }
    }
}
