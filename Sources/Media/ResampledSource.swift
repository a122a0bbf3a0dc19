internal import CSoxr

/// A mono source brought to another rate (libsoxr, very high quality: flat within 0.01 dB to 0.91 of the lower
/// Nyquist frequency, linear phase, no delay).
///
/// A loop is resampled as one: what the filter needs before the start is taken from the end.
public final class ResampledSource: MonoSource {
    public let rate: Int
    public let frames: Int
    private let source: any MonoSource
    private let loops: Bool
    private var resampler: soxr_t?
    /// Where the next frame comes from in the source, counted from its start; before it for a loop.
    private var inputPlace = 0
    private var outputPlace = 0
    private var input = [Float](repeating: 0, count: 4096)

    public init(_ source: any MonoSource, rate: Int, loops: Bool) {
        self.source = source
        self.rate = rate
        self.loops = loops
        frames = Int((Double(source.frames) * Double(rate) / Double(source.rate)).rounded())
    }

    deinit { soxr_delete(resampler) }

    public var name: String { source.name }

    public func seek(to frame: Int) throws(MediaError) {
        if resampler == nil || frame < outputPlace { try restart() }
        var spare = [Float](repeating: 0, count: 4096)
        while outputPlace < frame {
            let take = min(spare.count, frame - outputPlace)
            guard try pull(&spare, frames: take) == take else { return }
        }
    }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        if resampler == nil { try restart() }
        return try pull(target, frames: min(count, frames - outputPlace))
    }

    /// A stretch before the start that is a whole number of frames at both rates, and longer than the filter.
    private var leadIn: (input: Int, output: Int) {
        guard loops else { return (0, 0) }
        let common = greatestCommonDivisor(source.rate, rate)
        let step = (input: source.rate / common, output: rate / common)
        let times = (8192 + min(step.input, step.output) - 1) / min(step.input, step.output)
        return (times * step.input, times * step.output)
    }

    private func restart() throws(MediaError) {
        soxr_delete(resampler)
        var recipe = soxr_quality_spec(UInt(SOXR_VHQ), 0)
        var failure: soxr_error_t?
        resampler = soxr_create(Double(source.rate), Double(rate), 1, &failure, nil, &recipe, nil)
        guard resampler != nil else {
            throw MediaError(
                "\(name) cannot be brought from \(source.rate) to \(rate) Hz: "
                    + "\(failure.map { String(cString: $0) } ?? "out of memory"). Choose a usual rate, such as 48000.")
        }
        inputPlace = -leadIn.input
        outputPlace = -leadIn.output
        try seek(to: 0)
    }

    private func pull(_ target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            var produced = 0
            var available = input.count
            if loops {
                try source.readRound(into: &input, from: inputPlace, frames: available, length: source.frames)
            } else {
                available = min(available, source.frames - inputPlace)
                try source.readPadded(into: &input, from: inputPlace, frames: available)
            }
            var used = 0
            let failure =
                available > 0
                ? soxr_process(resampler, input, available, &used, target + done, count - done, &produced)
                : soxr_process(resampler, nil, 0, nil, target + done, count - done, &produced)
            if let failure { throw MediaError("\(name) cannot be resampled: \(String(cString: failure)).") }
            inputPlace += used
            done += produced
            if available == 0 && produced == 0 { break }
        }
        outputPlace += done
        return done
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }
