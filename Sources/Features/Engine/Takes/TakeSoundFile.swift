import FileOutput
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
