internal import ListenerStreams
internal import Synchronization

/// The encoder of one listener's HLS stream.
// SAFETY: everything but `passed` and `inlet`, which lock, is used on the HLS thread alone.
final class HLSEncoder: @unchecked Sendable {
    /// Seconds of sound over which the earliest arrival determines the time.
    private static let period = 2

    let inlet: SoundInlet
    /// Frames per second.
    let rate: Int
    private let bitrate: Int
    private let passed = Mutex<[HLSFragment]>([])
    private var renditions: [HLSRenditionEncoder] = []
    private var hasBegun = false
    private var hasFailed = false
    private var seam: SoundSeam
    /// The engine's sample count at the first frame, moved by gaps that no silence has filled.
    private var first: Int64 = 0
    /// Seconds since 1970 at which sample count 0 was rendered: the earliest in the current period, and in the one before.
    private var origins = (now: Double.infinity, before: Double.infinity)
    private var untilPeriod = 0

    init(rate: Int, bitrate: Int) {
        (self.rate, self.bitrate) = (rate, bitrate)
        (inlet, seam) = (SoundInlet(rate: rate), SoundSeam(rate: rate))
    }

    /// Removes and returns the output since the last call.
    func take() -> [HLSFragment] {
        passed.withLock { passed in
            defer { passed = [] }
            return passed
        }
    }

    /// Encodes everything that has arrived.
    ///
    /// - Returns: whether there is something to take.
    func turn() -> Bool {
        guard !hasFailed else { return false }
        var made: [HLSFragment] = []
        do throws(SoundPacker.Problem) {
            try begin { made.append($0) }
            for batch in inlet.take() { try add(batch) { made.append($0) } }
        } catch {
            hasFailed = true
            made.append(.failed(error.description))
        }
        guard !made.isEmpty else { return false }
        passed.withLock { $0 += made }
        return true
    }

    private func begin(_ pass: (HLSFragment) -> Void) throws(SoundPacker.Problem) {
        guard !hasBegun else { return }
        hasBegun = true
        for format in HLSFormat.possible(rate: rate) {
            renditions.append(try HLSRenditionEncoder(format, rate: rate, bitrate: bitrate, pass))
        }
    }

    private func add(_ batch: SoundInlet.Batch, _ pass: (HLSFragment) -> Void) throws(SoundPacker.Problem) {
        note(batch)
        let piece = seam.join(batch)
        if piece.lost > 0 { pass(.lost(frames: piece.lost)) }
        first += piece.skipped
        try encode(piece.samples, pass)
    }

    private func encode(_ samples: [Float], _ pass: (HLSFragment) -> Void) throws(SoundPacker.Problem) {
        let (first, origin) = (Double(first), min(origins.now, origins.before))
        for index in renditions.indices {
            let result = samples.withUnsafeBufferPointer { memory in
                Result { () throws(SoundPacker.Problem) in
                    try renditions[index].add(memory, date: { origin + (first + Double($0)) / Double(rate) }, pass)
                }
            }
            try result.get()
        }
    }

    /// Updates the time of sample 0 from the earliest arrivals: late sound does not show when it was rendered.
    private func note(_ batch: SoundInlet.Batch) {
        origins.now = min(origins.now, batch.origin)
        untilPeriod -= batch.samples.count / 2
        guard untilPeriod <= 0 else { return }
        untilPeriod = Self.period * rate
        origins = (batch.origin, origins.now)
    }
}

/// Makes the parts of one format from the sound of a listener.
struct HLSRenditionEncoder {
    private let format: HLSFormat
    private let timing: HLSTiming
    private let packer: SoundPacker
    private var samples: [Float] = []
    /// Packets of the part that is being made.
    private var packets = 0
    /// Frames of all earlier parts.
    private var frames: Int64 = 0

    /// - Parameter pass: receives the initialization segment.
    init(_ format: HLSFormat, rate: Int, bitrate: Int, _ pass: (HLSFragment) -> Void) throws(SoundPacker.Problem) {
        self.format = format
        packer = try SoundPacker(format.kind, rate: rate, bitrate: bitrate)
        timing = HLSTiming(packet: packer.frames, rate: rate)
        pass(.initialization(format, timing, bytes: try packer.take()))
    }

    /// Adds frames, and passes on each part that they complete.
    ///
    /// - Parameters:
    ///   - added: interleaved and finite.
    ///   - date: time at which a frame was rendered, by its number among all that were added.
    mutating func add(
        _ added: UnsafeBufferPointer<Float>, date: (Int64) -> Double, _ pass: (HLSFragment) -> Void
    ) throws(SoundPacker.Problem) {
        samples.append(contentsOf: added)
        var used = 0
        while samples.count - used >= 2 * packer.frames {
            // A closure would hide which error it throws.
            let result = samples.withUnsafeBufferPointer { memory in
                Result { () throws(SoundPacker.Problem) in
                    try packer.add(UnsafeBufferPointer(rebasing: memory[used..<(used + 2 * packer.frames)]))
                }
            }
            used += 2 * packer.frames
            packets += try result.get()
            guard packets >= timing.packets else { continue }
            let part = HLSPart(duration: Double(packets * packer.frames) / Double(timing.rate), bytes: try packer.take())
            pass(.part(format, part, date: date(frames - Int64(packer.delay))))
            frames += Int64(packets * packer.frames)
            packets = 0
        }
        samples.removeFirst(used)
    }
}

/// Output of the HLS thread, on its way to the control thread.
enum HLSFragment: Sendable {
    /// The initialization segment of a format.
    case initialization(HLSFormat, HLSTiming, bytes: [UInt8])
    /// A part, the next one of its format. `date` is the time of its first sound, seconds since 1970.
    case part(HLSFormat, HLSPart, date: Double)
    /// Frames of lost sound, which silence replaces.
    case lost(frames: Int)
    /// The stream cannot continue.
    case failed(String)
}
