public import Binaural
internal import Foundation

/// A recording, open for reading: one file of 4 to 64 channels, or a folder of as many mono files.
///
/// One file may be WAV, RF64, W64, CAF, AIFF or FLAC; FLAC ends at 8 channels. In a folder there is
/// one mono file per microphone, ordered by the numbers in their names (mic2 before mic10), all of one
/// rate and length. A recording is never loaded whole. For one thread at a time.
public struct RecordingReader: ~Copyable {
    /// How many microphones a recording may have.
    public static let channelRange = 4...MicrophoneArray.capacity

    public let path: String
    public let channels: Int
    /// Frames per second, as recorded.
    public let rate: Double
    public let frames: Int
    /// What a person should know about a recording that is played all the same.
    public let warnings: [String]
    /// The microphones' places: the sidecar's, or evenly spaced and clockwise.
    public let array: MicrophoneArray
    private let files: [SoundFile]
    private let mono: UnsafeMutablePointer<Float>
    private static let chunk = 4096

    /// Reads headers only.
    /// - Throws: ``MediaError`` when there is nothing at `path`, when it is no sound file, has no frames or
    ///   the wrong number of channels, when files of a folder do not belong together, or for its sidecar.
    public init(path: String) throws(MediaError) {
        guard FileManager.default.fileExists(atPath: path) else { throw RecordingFolder.missing(path) }
        let isFolder = RecordingFolder.isFolder(path)
        let files = isFolder ? try Self.openFolder(path) : [try SoundFile(path: path)]
        let channels = isFolder ? files.count : files[0].channels
        guard Self.channelRange.contains(channels) else {
            throw Self.wrongCount(path, channels, isFolder: isFolder)
        }
        let sidecar = try ArraySidecar.read(recording: path, channels: channels)
        self.path = path
        self.files = files
        self.channels = channels
        rate = Double(files[0].rate)
        frames = files[0].frames
        let gap = isFolder ? RecordingFolder.gap(in: files.map(\.path)) : nil
        warnings = files.flatMap(\.warnings) + (gap.map { [$0] } ?? [])
        array = sidecar ?? .uniform(count: channels)
        mono = .allocate(capacity: Self.chunk)
    }

    deinit { mono.deallocate() }

    /// Reads up to `frames` interleaved frames; returns how many there were, 0 at the end.
    /// Samples are in -1...1 for files of integers; infinite and not-a-number ones become 0.
    /// - Throws: ``MediaError`` when the disk fails, or the file has become shorter.
    public mutating func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        let count = min(count, frames - position)
        guard count > 0 else { return 0 }
        if files.count == 1 {
            let got = try files[0].read(into: target, frames: count)
            guard got == count else { throw ended(files[0], at: position + got) }
        } else {
            try readFolder(into: target, frames: count)
        }
        position += count
        return count
    }

    /// The frame that ``read(into:frames:)`` gives next, 0 to ``frames``.
    public private(set) var position = 0

    /// Goes on reading at `frame`; values outside 0...``frames`` become the nearest inside.
    public mutating func seek(frame: Int) throws(MediaError) {
        let frame = min(max(frame, 0), frames)
        for file in files { try file.seek(frame: frame) }
        position = frame
    }

    private func readFolder(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) {
        var done = 0
        while done < count {
            let part = min(Self.chunk, count - done)
            for (channel, file) in files.enumerated() {
                let got = try file.read(into: mono, frames: part)
                guard got == part else { throw ended(file, at: position + done + got) }
                var place = done * channels + channel
                for i in 0..<part {
                    target[place] = mono[i]
                    place += channels
                }
            }
            done += part
        }
    }

    private func ended(_ file: SoundFile, at frame: Int) -> MediaError {
        MediaError(
            "\(file.path) ended at frame \(frame) of \(frames): it has changed since it was opened. Open it again.")
    }

    private static func openFolder(_ path: String) throws(MediaError) -> [SoundFile] {
        let names = try RecordingFolder.soundFiles(in: path)
        guard channelRange.contains(names.count) else { throw wrongCount(path, names.count, isFolder: true) }
        var files: [SoundFile] = []
        for name in names { files.append(try SoundFile(path: name)) }
        let first = files[0]
        for file in files {
            guard file.channels == 1 else {
                throw MediaError(
                    "\(file.path) has \(file.channels) channels: in a folder, each file is one microphone, mono. "
                        + "Take it out of the folder, or give its own path to play it.")
            }
            guard file.rate == first.rate else {
                throw MediaError(
                    "\(file.path) has \(file.rate) Hz, \(first.path) has \(first.rate) Hz: "
                        + "the files of one recording need one rate. Convert one of them.")
            }
            guard file.frames == first.frames else {
                throw MediaError(
                    "\(file.path) has \(file.frames) frames, \(first.path) has \(first.frames): "
                        + "the files of one recording need one length. Cut or pad one of them.")
            }
        }
        return files
    }

    private static func wrongCount(_ path: String, _ count: Int, isFolder: Bool) -> MediaError {
        let need = "A recording needs \(channelRange.lowerBound) to \(channelRange.upperBound) microphones"
        return isFolder
            ? MediaError(
                "\(path) holds \(count) sound file\(count == 1 ? "" : "s"). \(need), one mono file each.")
            : MediaError(
                "\(path) has \(count) channel\(count == 1 ? "" : "s"). \(need), one channel each; "
                    + "more than 8 do not fit a FLAC file, use WAV, RF64, W64 or CAF.")
    }
}
