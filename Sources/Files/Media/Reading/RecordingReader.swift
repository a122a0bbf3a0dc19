public import Binaural
internal import FileOutput
internal import Foundation

/// A recording open for reading: one file of 4 to 64 channels, or a folder of as many mono files.
///
/// A single file may be WAV, RF64, BW64, W64, CAF, AIFF or FLAC (up to 8 channels). A folder contains one mono
/// file per microphone, ordered by the numbers in their names (mic2 before mic10), all of the same rate and
/// length: see ``MicrophoneNames``. A recording is never loaded whole. Not thread-safe.
public struct RecordingReader: ~Copyable {
    /// Number of microphones that a recording may have.
    public static let channelRange = 4...MicrophoneArray.capacity

    public let channels: Int
    /// Rate of the recording in frames per second.
    public let rate: Double
    public let frames: Int
    /// Warnings about a recording that can be played nevertheless.
    public let warnings: [String]
    /// Microphone positions: the sidecar's, or evenly spaced, clockwise.
    public let array: MicrophoneArray
    private let files: [SoundFile]
    private let mono: UnsafeMutablePointer<Float>
    private let selection: ChannelSelection?
    private static let chunk = 4096

    /// Opens the recording and reads its headers only.
    ///
    /// - Parameters:
    ///   - selected: numbers of the channels or files to read, the first is 1; nil for all.
    ///   - sidecar: path of the file with the microphones' positions; nil for the one beside the recording.
    /// - Throws: ``MediaError`` when nothing exists at `path`, when it is not a sound file, has no frames or a wrong
    ///   number of channels, when the files of a folder differ in rate or length, or when the sidecar is invalid.
    public init(path: String, channels selected: [Int]? = nil, sidecar: String? = nil) throws(MediaError) {
        guard FilePlace.isThere(path) else { throw RecordingFolder.missing(path) }
        let isFolder = RecordingFolder.isFolder(path)
        let microphones = isFolder ? try RecordingFolder.microphones(in: path, sidecar: sidecar) : nil
        var files: [SoundFile]
        if let microphones { files = try Self.openFolder(path, microphones.paths) } else { files = [try SoundFile(path: path)] }
        var selection: ChannelSelection?
        if let selected {
            try ChannelSelection.check(selected, of: isFolder ? files.count : files[0].channels, path: path)
            if isFolder { files = selected.map { files[$0 - 1] } } else { selection = ChannelSelection(selected, of: files[0].channels) }
        }
        let channels = isFolder ? files.count : selected?.count ?? files[0].channels
        guard Self.channelRange.contains(channels) else {
            throw Self.wrongCount(path, channels, isFolder: isFolder)
        }
        let positions = try ArraySidecar.read(recording: path, sidecar, channels: channels)
        if positions == nil { for file in files { try SphericalFormat.refuse(file) } }
        self.files = files
        self.selection = selection
        self.channels = channels
        rate = Double(files[0].rate)
        frames = Self.frames(files)
        let format = positions == nil ? SphericalFormat.warning(path, file: files[0].path, channels: channels) : nil
        let folder = selected == nil ? microphones?.warnings : nil
        warnings = Self.warnings(files) + (folder ?? []) + (format.map { [$0] } ?? [])
        array = positions ?? .uniform(count: channels)
        mono = .allocate(capacity: Self.chunk)
    }

    /// Opens mono files as one recording, a microphone each, in this order and evenly spaced clockwise.
    /// - Throws: ``MediaError`` as for a folder.
    public init(files paths: [String]) throws(MediaError) {
        guard Self.channelRange.contains(paths.count) else {
            throw MediaError(
                "\(counted(paths.count, "file")) \(paths.count == 1 ? "is" : "are") not a ring: a recording has "
                    + "\(Self.channelRange.lowerBound) to \(Self.channelRange.upperBound) microphones. Name one mono file for each.")
        }
        files = try Self.open(paths)
        selection = nil
        channels = files.count
        rate = Double(files[0].rate)
        frames = Self.frames(files)
        warnings = Self.warnings(files)
        array = .uniform(count: channels)
        mono = .allocate(capacity: Self.chunk)
    }

    deinit { mono.deallocate() }

    /// Reads up to `frames` interleaved frames; returns the number read, 0 at the end. Samples of integer files
    /// are within -1...1; all are limited by ``SampleLimit``.
    /// - Throws: ``MediaError`` when the disk fails or the file has become shorter.
    public mutating func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        let count = min(count, frames - position)
        guard count > 0 else { return 0 }
        if files.count == 1 {
            let got = try readFile(into: target, frames: count)
            guard got == count else { throw ended(files[0], at: position + got) }
        } else {
            try readFolder(into: target, frames: count)
        }
        position += count
        return count
    }

    /// The samples read so far that were limited, each counted once.
    public var limited: LimitedSamples { LimitedSamples(files) }

    /// Frame at which the next ``read(into:frames:)`` begins, 0 to ``frames``.
    public private(set) var position = 0

    /// Continues reading at `frame`, clamped to 0...``frames``.
    public mutating func seek(frame: Int) throws(MediaError) {
        let frame = min(max(frame, 0), frames)
        for file in files { try file.seek(frame: frame) }
        position = frame
    }

    private func readFile(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        guard let selection else { return try files[0].read(into: target, frames: count) }
        return try selection.read(files[0], into: target, frames: count)
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

    private static func openFolder(_ path: String, _ names: [String]) throws(MediaError) -> [SoundFile] {
        guard channelRange.contains(names.count) else { throw wrongCount(path, names.count, isFolder: true) }
        return try open(names)
    }

    private static func open(_ names: [String]) throws(MediaError) -> [SoundFile] {
        var files: [SoundFile] = []
        for name in names { files.append(try SoundFile(path: name)) }
        let first = files[0]
        for file in files {
            guard file.channels == 1 else {
                throw MediaError(
                    "\(file.path) has \(file.channels) channels, but each file of a folder is one microphone and must be mono. "
                        + "Move it out of the folder, or name the file itself to play it.")
            }
            guard file.rate == first.rate else {
                throw MediaError(
                    "\(file.path) has \(file.rate) Hz, \(first.path) has \(first.rate) Hz: "
                        + "the files of one recording need the same rate. Convert one of them.")
            }
            // A recorder that is interrupted has not written the same length to all files.
            guard file.frames == first.frames || files.contains(where: \.isInterrupted) else {
                throw MediaError(
                    "\(file.path) has \(file.frames) frames, \(first.path) has \(first.frames): "
                        + "the files of one recording need the same length. Cut or pad one of them.")
            }
        }
        return files
    }

    /// The length of the shortest file: those of an interrupted recorder differ.
    private static func frames(_ files: [SoundFile]) -> Int { files.map(\.frames).min() ?? 0 }

    private static func warnings(_ files: [SoundFile]) -> [String] {
        let warnings = files.flatMap(\.warnings)
        let (least, most) = (frames(files), files.map(\.frames).max() ?? 0)
        guard least < most, let shortest = files.first(where: { $0.frames == least }) else { return warnings }
        return warnings + [
            "The files have different lengths, of \(least) to \(most) frames. Those of \(shortest.path), the shortest, are played."
        ]
    }

    private static func wrongCount(_ path: String, _ count: Int, isFolder: Bool) -> MediaError {
        let need = "A recording needs \(channelRange.lowerBound) to \(channelRange.upperBound) microphones"
        return isFolder
            ? MediaError(
                "\(path) holds \(counted(count, "sound file")). \(need), one mono file each.")
            : MediaError(
                "\(path) has \(counted(count, "channel")). \(need), one channel each; "
                    + "more than 8 do not fit a FLAC file, use WAV, RF64, W64 or CAF.")
    }
}

/// Some channels of a sound file, in an order of their own.
final class ChannelSelection {
    private let channels: [Int]
    private let fileChannels: Int
    private let wide: UnsafeMutablePointer<Float>
    private static let chunk = 4096

    /// - Parameters:
    ///   - channels: numbers of the channels, the first is 1.
    ///   - fileChannels: number of channels of the file.
    init(_ channels: [Int], of fileChannels: Int) {
        self.channels = channels
        self.fileChannels = fileChannels
        wide = .allocate(capacity: Self.chunk * fileChannels)
    }

    deinit { wide.deallocate() }

    /// - Throws: ``MediaError`` when there is no such channel among `count`.
    static func check(_ channels: [Int], of count: Int, path: String) throws(MediaError) {
        guard let wrong = channels.first(where: { !(1...count).contains($0) }) else { return }
        throw MediaError("\(path) has no channel \(wrong): it has \(counted(count, "channel")). Name channels from 1 to \(count).")
    }

    /// Reads up to `count` frames of these channels; fewer only at the end.
    func read(_ file: SoundFile, into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            let got = try file.read(into: wide, frames: min(Self.chunk, count - done))
            guard got > 0 else { break }
            var place = target + done * channels.count
            for frame in 0..<got {
                let source = wide + frame * fileChannels
                for channel in channels {
                    place.pointee = source[channel - 1]
                    place += 1
                }
            }
            done += got
        }
        return done
    }
}
