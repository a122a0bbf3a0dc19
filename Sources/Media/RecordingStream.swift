/// A recording as the engine wants it: in the engine's rate, and without an end when it loops.
///
/// Frames are counted in the engine's rate from the recording's start. The loop is closed before the
/// rate is changed, so what comes out is continuous. For one thread at a time.
struct RecordingStream: ~Copyable {
    private(set) var reader: RecordingReader
    let engineRate: Double
    /// How often the end has been followed by the start since the last ``seek(frame:loop:)``.
    private(set) var laps = 0
    private var resampler: Resampler?
    private var seam: LoopSeam?
    private let input: UnsafeMutablePointer<Float>
    private var inputStart = 0
    private var inputCount = 0
    private var inputEnded = false
    private static let chunk = 1024
    /// Recorded frames read ahead of a place sought, so that the resampler's filter is full there:
    /// longer than its half length from 384 kHz down to 44.1 kHz.
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

    /// The recording's length in engine frames.
    var frames: Int { Int((Double(reader.frames) * ratio).rounded()) }

    /// Goes on at `frame`, in 0...``frames``. The next frame read is the one that playing from the start
    /// would have given; at rates without a small common ratio, the nearest within half a frame.
    mutating func seek(frame: Int, loop: Bool) throws(MediaError) {
        let frame = min(max(frame, 0), frames)
        laps = 0
        guard resampler != nil else {
            try reader.seek(frame: frame)
            return
        }
        resampler?.reset()
        (inputStart, inputCount, inputEnded) = (0, 0, false)
        let start = alignedStart(before: Int(Double(frame) / ratio) - Self.preroll)
        try reader.seek(frame: start)
        try discard(Int((Double(frame) - Double(start) * ratio).rounded()), loop: loop)
    }

    /// Reads `count` interleaved frames; fewer only at the end, or never when `loop` is set.
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

    /// Frames in the recording's own rate, with the loop closed.
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
        let length = min(Int(LoopSeam.fadeTime * reader.rate), reader.frames)
        return LoopSeam(tail: tail, head: head, channels: channels, length: length)
    }

    /// The latest frame at or before `frame` that falls on a whole engine frame.
    private func alignedStart(before frame: Int) -> Int {
        guard frame > 0 else { return 0 }
        let step = Self.step(reader.rate, engineRate)
        return frame - frame % step
    }

    /// After how many recorded frames the two rates meet again; 1 when that takes too long to matter.
    static func step(_ recorded: Double, _ engine: Double) -> Int {
        guard recorded == recorded.rounded(), engine == engine.rounded() else { return 1 }
        var (a, b) = (Int(recorded), Int(engine))
        while b != 0 { (a, b) = (b, a % b) }
        let step = Int(recorded) / a
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
