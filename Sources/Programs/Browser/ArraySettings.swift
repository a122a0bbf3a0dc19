/// A microphone array with its calibration, as a page describes it: filled through pointers, then checked as a whole.
struct ArraySettings: BitwiseCopyable {
    /// Number of microphones.
    var count: Int
    /// Radius of the sphere, metres.
    var radius: Float
    /// One entry per microphone each: azimuth in degrees, gain factor (negative for an inverted capsule, 0 for a muted one), delay in
    /// samples.
    // SAFETY: memory of the renderer that reads them.
    nonisolated(unsafe) let azimuths, gains, delays: UnsafeMutablePointer<Float>

    /// Whether the numbers describe an array.
    var isValid: Bool {
        guard (1...MicrophoneArray.capacity).contains(count), ArrayPlan.radii.contains(radius) else { return false }
        for i in 0..<count {
            guard azimuths[i].isFinite, abs(azimuths[i]) <= 360, gains[i].isFinite, abs(gains[i]) <= 100,
                delays[i] >= 0, delays[i] <= ChannelTrim.longest
            else { return false }
            for j in 0..<i where abs(wrapDegrees(azimuths[i] - azimuths[j])) < ArrayPlan.closest { return false }
        }
        return true
    }

    var array: MicrophoneArray { MicrophoneArray(azimuths: (0..<count).map { azimuths[$0] }, radius: radius) }

    var calibration: Calibration {
        Calibration(
            gains: (0..<count).map { abs(gains[$0]) }, inverted: (0..<count).map { gains[$0] < 0 },
            muted: (0..<count).map { gains[$0] == 0 }, delays: (0..<count).map { delays[$0] })
    }
}
