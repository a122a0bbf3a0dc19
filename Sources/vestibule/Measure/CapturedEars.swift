import Crossing
import Device
import Evaluation

/// Where the two ears are recorded from outside of the renderer.
enum CapturedEars {
    case device(ALSACapture)
    case network(NetworkEars)

    /// What was recorded, every frame with its time.
    struct Timed {
        /// Left, right, left, right.
        let samples: [Float]
        /// CLOCK_MONOTONIC nanoseconds of a frame.
        let time: (Int) -> Int64
        /// The frame of a time.
        let frame: (UInt64) -> Int
    }

    func collect() {
        if case .network(let ears) = self { ears.collect() }
    }

    /// - Parameter chain: samples by which what is heard is later than the ears' rendering, as the stamps have it.
    func finish(rate: Double, stamps: [LatencyStamp], chain: Int) throws -> Timed {
        switch self {
        case .device(let capture):
            let sound = try capture.stop()
            let readings = sound.readings.map { CaptureClock.Reading(frame: $0.frame, time: $0.time) }
            guard let clock = CaptureClock(readings, rate: rate) else {
                throw DeviceError("The capture gave no sound. Name another device with --capture.")
            }
            return Timed(samples: sound.samples, time: { clock.time(frame: $0) }, frame: { clock.frame(at: $0) })
        case .network(let ears):
            // The engine counts frames from its start, and so does the ring; the device said when some of them leave.
            // What is heard of a frame comes out with a later one.
            let times = stamps.map { CaptureClock.Reading(frame: Int($0.sample) + chain, time: $0.outputTime) }
            guard let clock = StampClock(times, rate: rate) else {
                throw DeviceError("Telemetry reported no pose; is the machine overloaded?")
            }
            guard !ears.isTorn else {
                throw DeviceError(
                    "This machine stood still for so long that sound was lost before it could be recorded. Measure again "
                        + "with less beside it.")
            }
            return Timed(samples: ears.samples, time: { clock.time(frame: $0) }, frame: { clock.frame(at: $0) })
        }
    }
}
