/// A mono source resampled to another rate, without a time shift.
///
/// A loop is resampled as a loop: the samples that the filter needs before the start are taken from the end.
public final class ResampledSource: MonoSource {
    public let rate: Int
    public let frames: Int
    private let source: any MonoSource
    private let loops: Bool
    private var resampler: Resampler
    private var started = false
    /// Position of the next frame in the source; negative before the start of a loop.
    private var inputPlace = 0
    private var outputPlace = 0
    private var input = [Float](repeating: 0, count: 4096)

    public init(_ source: any MonoSource, rate: Int, loops: Bool) throws(MediaError) {
        self.source = source
        self.rate = rate
        self.loops = loops
        resampler = try Resampler(from: Double(source.rate), to: Double(rate), channels: 1, quality: .veryHigh)
        frames = Int(clamping: (Double(source.frames) * Double(rate) / Double(source.rate)).rounded())
    }

    public var name: String { source.name }

    public func seek(to frame: Int) throws(MediaError) {
        if !started || frame < outputPlace { try restart() }
        var spare = [Float](repeating: 0, count: 4096)
        while outputPlace < frame {
            let take = min(spare.count, frame - outputPlace)
            guard try pull(&spare, frames: take) == take else { return }
        }
    }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        if !started { try restart() }
        return try pull(target, frames: min(count, frames - outputPlace))
    }

    /// Lead-in before a loop's start: a whole number of frames at both rates, longer than the filter.
    private var leadIn: (input: Int, output: Int) {
        guard loops else { return (0, 0) }
        let common = greatestCommonDivisor(source.rate, rate)
        let step = (input: source.rate / common, output: rate / common)
        let times = (8192 + min(step.input, step.output) - 1) / min(step.input, step.output)
        return (times * step.input, times * step.output)
    }

    private func restart() throws(MediaError) {
        resampler.reset()
        started = true
        inputPlace = -leadIn.input
        outputPlace = -leadIn.output
        try seek(to: 0)
    }

    private func pull(_ target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            var available = input.count
            if loops {
                try source.readRound(into: &input, from: inputPlace, frames: available, length: source.frames)
            } else {
                available = min(available, source.frames - inputPlace)
                try source.readPadded(into: &input, from: inputPlace, frames: available)
            }
            let room = count - done
            let (used, produced) =
                available > 0
                ? resampler.process(input, frames: available, output: target + done, capacity: room)
                : (0, resampler.flush(output: target + done, capacity: room))
            inputPlace += used
            done += produced
            if available == 0 && produced == 0 { break }
        }
        outputPlace += done
        return done
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }
