public import Crossing
internal import Media
public import Render
internal import Synchronization

/// Brings the blocks of a live array to the renderer, whose clock may be another one: then it resamples, by a loop that keeps the time
/// from converter to renderer constant. Not for the audio thread.
struct ArrayBridge: ~Copyable {
    /// Frames kept in the ring as a reserve against late threads, as last reported by the renderer.
    private(set) var reserve: Int
    private var line: ArrayLine
    private let period: Int
    private let rate: Double
    private let room: Int
    private let output: UnsafeMutablePointer<Float>
    /// nil while both clocks are the same one.
    private var resampler: VariableResampler?
    private var loop: DriftLoop
    /// Frames written to the ring.
    private var written: Int64 = 0
    /// Frames that the resampler has consumed, and the position among them of the next frame that it produces.
    private var taken = 0.0
    private var place = 0.0

    /// Frames that the resampler holds back.
    private static let held = 240.0
    /// Seconds without a reading after which the ratio is no longer adjusted.
    private static let longestRest = 0.25

    /// Frames of reserve for blocks of `period` frames at `rate` frames per second: half a block or 2 ms.
    static func reserve(period: Int, rate: Int) -> Int { max(period / 2, rate / 500) }

    /// Whether the renderer has another clock.
    var resamples: Bool { resampler != nil }

    /// - Parameters:
    ///   - period: largest number of frames that are written at once.
    ///   - rate: frames per second.
    ///   - resamples: whether the renderer has another clock.
    init(_ line: consuming ArrayLine, period: Int, rate: Int, resamples: Bool) {
        let channels = line.frames.channels
        reserve = Self.reserve(period: period, rate: rate)
        self.period = period
        self.rate = Double(rate)
        room = 2 * period + 64
        output = .allocate(capacity: room * channels)
        loop = DriftLoop(rate: Double(rate))
        resampler = resamples ? VariableResampler(channels: channels) : nil
        self.line = line
    }

    deinit { output.deallocate() }

    /// Input frames per output frame.
    var ratio: Double { resampler == nil ? 1 : loop.ratio }

    /// Number of frames between the converter and the frames that the renderer has just used; the loop keeps it constant.
    var target: Double {
        resampler == nil ? Double(period + reserve) : Double(period + reserve) + Self.held + VariableResampler.delay
    }

    /// Begins again after a gap.
    mutating func restart(resamples: Bool) {
        resampler = resamples ? VariableResampler(channels: line.frames.channels) : nil
        (taken, place) = (0, 0)
    }

    /// Writes a block of the array.
    ///
    /// - Parameter end: time at which the frame after the last one is at the converter, CLOCK_MONOTONIC nanoseconds.
    mutating func write(_ samples: UnsafePointer<Float>, frames: Int, until end: UInt64) {
        if resamples {
            resample(samples, frames: frames, until: end)
        } else {
            written += Int64(line.frames.write(samples, frames: frames))
        }
        // The frame after the last one written is as old as the frames that the resampler holds.
        let age = resampler == nil ? 0 : taken - place + VariableResampler.delay
        let time = UInt64(clamping: Int64(clamping: end) - Int64(clamping: age / rate * 1e9))
        line.stamps.publish(LiveStamp(frame: written, time: time))
    }

    private mutating func resample(_ samples: UnsafePointer<Float>, frames: Int, until end: UInt64) {
        let former = loop.ratio
        follow(frames, until: end)
        resampler?.set(ratio: loop.ratio)
        var done = 0
        while done < frames {
            let (consumed, produced) =
                resampler?.process(samples + done * line.frames.channels, frames: frames - done, output: output, capacity: room) ?? (0, 0)
            guard consumed + produced > 0 else { break }
            done += consumed
            written += Int64(line.frames.write(output, frames: produced))
            place += Double(produced) * loop.ratio
        }
        // The ratio has moved linearly from the previous one to the new one.
        place -= (loop.ratio - former) * Double(min(VariableResampler.slew, frames)) / 2
        taken += Double(frames)
    }

    /// Measures the frames between converter and renderer, and adjusts the ratio.
    private mutating func follow(_ frames: Int, until end: UInt64) {
        let reading = line.readings.read()
        if reading.time > 0 { reserve = reading.reserve }
        let late = Double(Int64(clamping: end) - Int64(clamping: reading.time)) / 1e9
        guard reading.time > 0, abs(late) < Self.longestRest else { return }
        let recorded = Double(written) + (taken + Double(frames) - place) / loop.ratio + VariableResampler.delay
        let used = Double(reading.frame) + late * rate
        loop.note(error: recorded - used - target, elapsed: Double(frames) / rate)
    }
}

/// A feed's other ends, for the thread that records a live array with its own clock.
public struct ArrayLine: ~Copyable, Sendable {
    var frames: FrameRing.Producer
    var stamps: Latest<LiveStamp>.Writer
    var readings: Latest<LiveReading>.Reader

    /// - Parameters:
    ///   - frames: receives interleaved frames at the engine's rate.
    ///   - stamps: receives the newest frame, counted from the first, and the time at which it was at the converter.
    ///   - readings: frames that the renderer has used, and when.
    public init(
        frames: consuming FrameRing.Producer, stamps: consuming Latest<LiveStamp>.Writer, readings: consuming Latest<LiveReading>.Reader
    ) {
        self.frames = frames
        self.stamps = stamps
        self.readings = readings
    }
}

/// The bridge of a recorder, owned by one thread at a time. A thread that returns late from a hung driver has lost ownership.
// SAFETY: `bridge` is used under `lock` only.
final class BridgeBox: @unchecked Sendable {
    private let lock = Mutex<Void>(())
    private let present = Atomic(0)
    private var bridge: ArrayBridge?

    /// Number of the turn.
    var turn: Int { present.load(ordering: .acquiring) }

    /// Begins the next turn, and returns its number.
    func begin() -> Int { lock.withLock { _ in present.add(1, ordering: .acquiringAndReleasing).newValue } }

    /// Uses the bridge, unless another turn has begun.
    func use(_ turn: Int, _ body: (inout ArrayBridge?) -> Void) {
        lock.withLock { _ in
            if present.load(ordering: .relaxed) == turn { body(&bridge) }
        }
    }
}
