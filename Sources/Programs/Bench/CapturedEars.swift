import Crossing
import Device
import Evaluation
import RenderInterface

/// Source of the two ears, recorded outside the renderer.
enum CapturedEars {
    case device(ALSACapture)
    case network(NetworkEars)
    /// Heard outside of this program, this many milliseconds after every turn.
    case instrument(milliseconds: Double)

    /// Recorded sound with the time of every frame.
    struct Timed {
        /// Interleaved stereo samples.
        let samples: [Float]
        /// Returns the time of a frame, CLOCK_MONOTONIC nanoseconds.
        let time: (Int) -> Int64
        /// Returns the frame at a time.
        let frame: (UInt64) -> Int
    }

    func collect() {
        if case .network(let ears) = self { ears.collect() }
    }

    /// - Parameter chain: delay of the output relative to the ears' rendering in samples, as in the stamps.
    func finish(rate: Double, stamps: [LatencyStamp], chain: Int) throws -> Timed {
        switch self {
        case .instrument: return Timed(samples: [], time: { _ in 0 }, frame: { _ in 0 })
        case .device(let capture):
            let sound = try capture.stop()
            let readings = sound.readings.map { CaptureClock.Reading(frame: $0.frame, time: $0.time) }
            guard let clock = CaptureClock(readings, rate: rate) else {
                throw DeviceError("The capture device delivered no sound. Name another one with --capture.")
            }
            return Timed(samples: sound.samples, time: { clock.time(frame: $0) }, frame: { clock.frame(at: $0) })
        case .network(let ears):
            // The engine and the ring count frames from the engine's start; the device reported output times of some. The
            // sound of a frame is output with a later one.
            let times = stamps.map { CaptureClock.Reading(frame: Int($0.sample) + chain, time: $0.outputTime) }
            guard let clock = StampClock(times, rate: rate) else {
                throw DeviceError("Telemetry reported no pose. Measure again with less load on the machine.")
            }
            guard !ears.hasOverflowed else {
                throw DeviceError(
                    "The machine stalled for so long that sound was lost before it could be recorded. Measure again "
                        + "with less load on the machine.")
            }
            return Timed(samples: ears.samples, time: { clock.time(frame: $0) }, frame: { clock.frame(at: $0) })
        }
    }
}

/// Sound of the first listener from the engine's first frame on, as sent to network listeners.
final class NetworkEars {
    private var ring: FrameRing.Consumer
    private(set) var samples: [Float] = []
    /// Whether the ring has overflowed: frames are missing, and all later ones have wrong positions.
    private(set) var hasOverflowed = false

    init(_ ring: consuming FrameRing.Consumer) { self.ring = ring }

    func collect() {
        let count = ring.available
        guard count > 0 else { return }
        if count == ring.capacity { hasOverflowed = true }
        var new = [Float](repeating: 0, count: 2 * count)
        _ = ring.read(&new, frames: count)
        samples += new
    }
}
