internal import CSoxr

/// Sample-rate converter for a stream of interleaved frames, with libsoxr's linear-phase filter.
///
/// Output frame n corresponds to the input at time n / output rate: the filter's delay is compensated by
/// withholding output until enough input has arrived. Not thread-safe and not realtime-safe.
public struct Resampler: ~Copyable {
    public enum Quality: Sendable {
        /// 20 bits: errors 120 dB down.
        case high
        /// 28 bits: computed in double precision, at about half the speed.
        case veryHigh
    }

    private let handle: soxr_t

    /// - Parameters:
    ///   - input: input rate in frames per second.
    ///   - output: output rate in frames per second.
    public init(from input: Double, to output: Double, channels: Int, quality: Quality = .high) throws(MediaError) {
        var refusal: soxr_error_t?
        var recipe = soxr_quality_spec(UInt(quality == .high ? SOXR_20_BITQ : SOXR_28_BITQ), 0)
        guard let handle = soxr_create(input, output, UInt32(channels), &refusal, nil, &recipe, nil) else {
            let reason = refusal.map { String(cString: $0) } ?? "out of memory"
            throw MediaError(
                "A recording of \(input) Hz cannot be played at \(output) Hz (\(reason)). Convert it to \(output) Hz.")
        }
        self.handle = handle
    }

    deinit { soxr_delete(handle) }

    /// Consumes up to `frames` frames of `input` and writes up to `capacity` frames of `output`.
    /// The caller passes the frames that were not consumed again.
    public mutating func process(
        _ input: UnsafePointer<Float>, frames: Int, output: UnsafeMutablePointer<Float>, capacity: Int
    ) -> (consumed: Int, produced: Int) {
        var consumed = 0
        var produced = 0
        soxr_process(handle, input, frames, &consumed, output, capacity, &produced)
        return (consumed, produced)
    }

    /// Writes up to `capacity` withheld frames after the last input; returns 0 when none are left.
    public mutating func flush(output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        var produced = 0
        soxr_process(handle, nil, 0, nil, output, capacity, &produced)
        return produced
    }

    /// Discards the input so far: the next input is the start of another stream.
    public mutating func reset() { soxr_clear(handle) }
}

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
