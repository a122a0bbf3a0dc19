internal import FileOutput
internal import Glibc
public import Media
internal import Trust

/// Packs a recording for browsers: chunks of one second as FLAC with 24 bits, each with its hash, and an index.
///
/// The index is written last: a folder without one is incomplete.
public enum PackageWriter {
    /// Writes a package.
    ///
    /// - Parameters:
    ///   - reader: the recording, at its beginning.
    ///   - title: shown to listeners.
    ///   - folder: made here; a folder that has files already is refused.
    ///   - progress: called with the frames done and all frames.
    /// - Throws: `MediaError`.
    public static func write(
        _ reader: inout RecordingReader, title: String, to folder: String, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(MediaError) -> PackageIndex {
        let (channels, rate) = (reader.channels, Int(clamping: reader.rate))
        try make(folder)
        let groups = stride(from: 0, to: channels, by: FlacFile.mostChannels).map { min(FlacFile.mostChannels, channels - $0) }
        var index = PackageIndex(
            title: title, rate: rate, frames: reader.frames, chunkFrames: rate, groups: groups,
            array: SceneDescription(array: reader.array, rate: rate).array)
        let frames = UnsafeMutablePointer<Float>.allocate(capacity: rate * channels)
        defer { frames.deallocate() }
        while reader.position < reader.frames {
            var count = 0
            while count < rate {
                let got = try reader.read(into: frames + count * channels, frames: rate - count)
                guard got > 0 else { break }
                count += got
            }
            guard count > 0 else { break }
            try add(frames, count: count, to: &index, in: folder)
            progress(reader.position, reader.frames)
        }
        do { try write(index.encoded(), to: "\(folder)/\(PackageIndex.file)") } catch { throw MediaError("\(error)") }
        return index
    }

    private static func add(
        _ frames: UnsafePointer<Float>, count: Int, to index: inout PackageIndex, in folder: String
    ) throws(MediaError) {
        let channels = index.groups.reduce(0, +)
        var bytes: [UInt8] = []
        var parts: [Int] = []
        var first = 0
        for group in index.groups {
            var samples = [Float](repeating: 0, count: count * group)
            for frame in 0..<count {
                for channel in 0..<group { samples[frame * group + channel] = frames[frame * channels + first + channel] }
            }
            let part = try FlacFile.bytes(of: samples, channels: group, rate: index.rate)
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
        if mkdir(folder, 0o777) == 0 { return }
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
