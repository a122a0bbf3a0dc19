/// A recording as a stream at the engine rate, endless when it loops.
///
/// Frames are counted at the engine rate from the recording's start. The loop is closed before resampling,
/// so that the output is continuous. Not thread-safe.
struct RecordingStream: ~Copyable {
    private(set) var reader: RecordingReader
    let engineRate: Double
    /// Number of times the end has been followed by the start since the last ``seek(frame:loop:)``.
    private(set) var laps = 0
    private var resampler: Resampler?
    private var seam: LoopSeam?
    private let input: UnsafeMutablePointer<Float>
    private var inputStart = 0
    private var inputCount = 0
    private var inputEnded = false
    private static let chunk = 1024
    /// Recorded frames read before a seek target to fill the resampler's filter: longer than half the filter
    /// for conversions from 384 kHz down to 44.1 kHz.
    private static let preroll = 2048

    init(_ reader: consuming RecordingReader, engineRate: Double) throws(MediaError) {
        if reader.rate != engineRate {
            resampler = try Resampler(from: reader.rate, to: engineRate, channels: reader.channels)
        }
        self.engineRate = engineRate
        input = .allocate(capacity: Self.chunk * reader.channels)
        self.reader = reader
    }

    deinit { input.deallocate() }

    /// Engine frames per recorded frame.
    var ratio: Double { engineRate / reader.rate }

    /// Length of the recording in engine frames.
    var frames: Int { Int(clamping: (Double(reader.frames) * ratio).rounded()) }

    /// Seeks to `frame`, in 0...``frames``. The next frame read is the same as in playback from the start;
    /// at rates without a small common ratio, it is within half a frame of it.
    mutating func seek(frame: Int, loop: Bool) throws(MediaError) {
        let frame = min(max(frame, 0), frames)
        laps = 0
        guard resampler != nil else {
            try reader.seek(frame: frame)
            return
        }
        resampler?.reset()
        (inputStart, inputCount, inputEnded) = (0, 0, false)
        let start = alignedStart(before: Int(clamping: Double(frame) / ratio) - Self.preroll)
        try reader.seek(frame: start)
        try discard(Int(clamping: (Double(frame) - Double(start) * ratio).rounded()), loop: loop)
    }

    /// Reads `count` interleaved frames; fewer only at the end, never when `loop` is set.
    mutating func read(
        into target: UnsafeMutablePointer<Float>, frames count: Int, loop: Bool
    ) throws(MediaError) -> Int {
        guard resampler != nil else { return try pull(into: target, frames: count, loop: loop) }
        var done = 0
        while done < count {
            if inputCount == 0 && !inputEnded {
                inputStart = 0
                inputCount = try pull(into: input, frames: Self.chunk, loop: loop)
                inputEnded = inputCount == 0
            }
            let place = target + done * reader.channels
            if inputEnded {
                let held = resampler!.flush(output: place, capacity: count - done)
                if held == 0 { break }
                done += held
            } else {
                let (consumed, produced) = resampler!.process(
                    input + inputStart * reader.channels, frames: inputCount, output: place, capacity: count - done)
                inputStart += consumed
                inputCount -= consumed
                done += produced
            }
        }
        return done
    }

    /// Reads frames at the recording's own rate, with the loop closed.
    private mutating func pull(
        into target: UnsafeMutablePointer<Float>, frames count: Int, loop: Bool
    ) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            if reader.position == reader.frames {
                guard loop else { break }
                try wrap()
            }
            let place = reader.position
            let samples = target + done * reader.channels
            let got = try reader.read(into: samples, frames: count - done)
            if laps > 0 { seam?.apply(samples, place: place, frames: got) }
            done += got
        }
        return done
    }

    private mutating func wrap() throws(MediaError) {
        if seam == nil { seam = try makeSeam() }
        try reader.seek(frame: 0)
        laps += 1
    }

    private mutating func makeSeam() throws(MediaError) -> LoopSeam {
        let channels = reader.channels
        let window = min(LoopSeam.window, reader.frames)
        var tail = [Float](repeating: 0, count: window * channels)
        var head = tail
        try reader.seek(frame: reader.frames - window)
        _ = try reader.read(into: &tail, frames: window)
        try reader.seek(frame: 0)
        _ = try reader.read(into: &head, frames: window)
        let length = min(Int(clamping: LoopSeam.fadeTime * reader.rate), reader.frames)
        return LoopSeam(tail: tail, head: head, channels: channels, length: length)
    }

    /// Returns the latest frame at or before `frame` that coincides with an engine frame.
    private func alignedStart(before frame: Int) -> Int {
        guard frame > 0 else { return 0 }
        let step = Self.step(reader.rate, engineRate)
        return frame - frame % step
    }

    /// Returns the number of recorded frames after which frames of both rates coincide again; 1 when it exceeds twice
    /// the preroll.
    static func step(_ recorded: Double, _ engine: Double) -> Int {
        guard recorded == recorded.rounded(), engine == engine.rounded() else { return 1 }
        var (a, b) = (Int(clamping: recorded), Int(clamping: engine))
        while b != 0 { (a, b) = (b, a % b) }
        let step = Int(clamping: recorded) / a
        return step <= 2 * preroll ? step : 1
    }

    private mutating func discard(_ count: Int, loop: Bool) throws(MediaError) {
        let size = min(count, Self.chunk)
        let waste = UnsafeMutablePointer<Float>.allocate(capacity: max(size, 1) * reader.channels)
        defer { waste.deallocate() }
        var left = count
        while left > 0 {
            let got = try read(into: waste, frames: min(left, size), loop: loop)
            if got == 0 { break }
            left -= got
        }
    }
}
