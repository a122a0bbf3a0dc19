import FileOutput
import Foundation
import Media
import RenderInterface

/// A sound file of a take while it is being written. Frames that are missing become silence, and are noted.
final class TakeSoundFile {
    private static let most = 4096
    let source: TakeSource
    private(set) var record: TakeRecord.File
    private(set) var overview = TakeOverview()
    /// Frames in the file.
    private(set) var written: Int64 = 0
    private let writer: SoundWriter
    private let samples: UnsafeMutablePointer<Float>
    private let hook: @Sendable () -> Void
    private let mostGaps: Int

    /// - Parameters:
    ///   - mostGaps: maximum number of gaps that are noted; beyond that, neighbouring gaps are joined.
    ///   - hook: called before every piece is written.
    init(
        _ inlet: TakeInlet, folder: String, request: TakeRequest, mostGaps: Int = TakeRecord.mostGapsInFile,
        hook: @escaping @Sendable () -> Void
    ) throws {
        source = inlet.source
        self.mostGaps = mostGaps
        let name = TakeRequest.stem(source) + "." + request.ending(channels: inlet.channels)
        record = TakeRecord.File(file: name, source: source.name, listener: source.listener, channels: inlet.channels)
        writer = try SoundWriter(
            try OutputFile(folder + "/" + name, isNamed: true, isSynced: true), channels: inlet.channels, rate: request.rate)
        samples = .allocate(capacity: Self.most * inlet.channels)
        self.hook = hook
    }

    deinit { samples.deallocate() }

    /// Frames that were lost.
    private(set) var lost: Int64 = 0

    /// Writes the frames that can be read.
    ///
    /// - Parameters:
    ///   - first: sample of the engine that is the first frame.
    ///   - end: frames at which the file ends.
    func drain(_ inlet: TakeInlet, from first: Int64, until end: Int64) throws {
        while written < end {
            let count = inlet.run()
            guard count > 0 else { return }
            let place = inlet.sample - first
            if place < written {
                inlet.skip(min(count, Int(written - place)))
                continue
            }
            if place > written { try fill(until: min(place, end)) }
            let part = min(count, Self.most, Int(end - written))
            guard part > 0 else { return }
            hook()
            let got = inlet.read(into: samples, frames: part)
            try writer.write(samples, frames: got)
            overview.add(samples, frames: got, channels: inlet.channels)
            written += Int64(got)
        }
    }

    /// Writes silence for frames that are missing.
    func fill(until frame: Int64) throws {
        guard frame > written else { return }
        note(TakeRecord.Gap(frame: written, frames: frame - written))
        samples.update(repeating: 0, count: Self.most * record.channels)
        while written < frame {
            let part = min(Self.most, Int(frame - written))
            try writer.write(samples, frames: part)
            overview.addSilence(frames: part)
            written += Int64(part)
        }
    }

    private func note(_ gap: TakeRecord.Gap) {
        lost += gap.frames
        if record.joined != nil { record.lostFrames = lost }
        if let last = record.gaps.last, last.frame + last.frames == gap.frame {
            record.gaps[record.gaps.count - 1].frames += gap.frames
        } else {
            record.gaps.append(gap)
            if record.gaps.count > mostGaps { join() }
        }
    }

    /// Joins every second gap with the one before it, so that the description of the take stays small enough to be read.
    private func join() {
        let gaps = record.gaps
        record.gaps = stride(from: 0, to: gaps.count, by: 2).map { place in
            let (one, next) = (gaps[place], gaps[min(place + 1, gaps.count - 1)])
            return TakeRecord.Gap(frame: one.frame, frames: next.frame + next.frames - one.frame)
        }
        record.joined = (record.joined ?? 0) + gaps.count - record.gaps.count
        record.lostFrames = lost
    }

    func update(isSynced: Bool) throws { try writer.update(isSynced: isSynced) }

    func finish() throws { try writer.finish() }
}

extension TakeSource {
    /// The source as `take.json` names it.
    var name: String {
        switch self {
        case .array: "array"
        case .input: "input"
        case .processedInput: "processed-input"
        case .ears: "ears"
        }
    }

    /// Number of the listener, from 1.
    var listener: Int? { if case .ears(let listener) = self { listener + 1 } else { nil } }
}

/// Outline of a sound of unknown length: the largest magnitude in up to 1000 parts of equal length.
struct TakeOverview {
    private static let most = 1000
    private(set) var peaks: [Float] = []
    /// Frames of a part; doubled whenever there are too many parts.
    private var length = 480
    private var rest = 0
    private var peak: Float = 0

    mutating func add(_ samples: UnsafePointer<Float>, frames: Int, channels: Int) {
        var frame = 0
        while frame < frames {
            let count = min(frames - frame, length - rest)
            for i in frame * channels..<(frame + count) * channels { peak = max(peak, abs(samples[i])) }
            frame += count
            rest += count
            if rest == length { close() }
        }
    }

    mutating func addSilence(frames: Int) {
        var left = frames
        while left > 0 {
            let count = min(left, length - rest)
            left -= count
            rest += count
            if rest == length { close() }
        }
    }

    private mutating func close() {
        peaks.append(peak)
        (peak, rest) = (0, 0)
        guard peaks.count == Self.most else { return }
        peaks = stride(from: 0, to: Self.most, by: 2).map { max(peaks[$0], peaks[$0 + 1]) }
        length *= 2
    }

    /// The parts so far, in thousandths of full scale, the incomplete one included.
    var thousandths: [Int] { (rest > 0 ? peaks + [peak] : peaks).map { Int(clamping: (min($0, 16) * 1000).rounded()) } }
}

/// Replaces the files of a complete take by FLAC files.
///
/// They are made afterwards: the length of a FLAC file without its end is unknown.
enum TakeConversion {
    /// Name after conversion; unchanged if FLAC does not support the number of channels.
    static func name(_ file: String, channels: Int) -> String {
        channels <= FlacFile.mostChannels ? URL(filePath: file).deletingPathExtension().lastPathComponent + ".flac" : file
    }

    /// - Returns: the reasons why files stay as they are.
    static func convert(_ folder: String) -> [String] {
        guard var record = try? TakeRecord.read(folder), record.frames ?? 0 > 0 else { return [] }
        var problems: [String] = []
        for index in record.files.indices {
            let (file, former) = (record.files[index], record)
            let name = name(file.file, channels: file.channels)
            guard name != file.file else { continue }
            do {
                try FlacFile.convert(folder + "/" + file.file, to: OutputFile(folder + "/" + name, isSynced: true))
                record.files[index].file = name
                try record.write(folder)
                try FileManager.default.removeItem(atPath: folder + "/" + file.file)
            } catch {
                record = former
                problems.append("\(folder)/\(file.file) stays as it is: \(error)")
            }
        }
        return problems
    }
}
