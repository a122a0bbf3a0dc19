/// Settings of the microphone array that override those of the recording.
public struct ArrayPlan: Sendable, Equatable {
    /// Numbering of evenly spaced microphones, seen from above.
    public enum Direction: Int, Sendable, CaseIterable {
        /// Azimuths as in the recording.
        case recording
        case clockwise, counterClockwise
    }

    /// Radius of the sphere, metres; 0 for that of the recording.
    public var radius: Float = 0
    /// Numbering of the microphones; except with ``Direction/recording``, they are evenly spaced from ``first`` on.
    public var direction = Direction.recording
    /// Azimuth of the first microphone, degrees.
    public var first: Float = 0
    /// Azimuth of each microphone, degrees; overrides ``direction`` unless it is empty.
    public var azimuths: [Float] = []
    /// Calibration, one entry per microphone from the first on; microphones without an entry are not changed.
    public var calibration = Calibration()

    public init() {}

    /// Range of a sphere's radius, metres.
    public static let radii: ClosedRange<Float> = 0.01...1
    /// Smallest distance between two microphones, degrees.
    public static let closest: Float = 0.01

    /// Returns the array of a recording with this plan applied.
    /// - Throws: the reason, when the plan does not fit the recording.
    public func array(for recording: MicrophoneArray) throws(ArrayPlanError) -> MicrophoneArray {
        guard radius == 0 || Self.radii.contains(radius) else {
            throw ArrayPlanError("a radius of \(radius) m is not possible; give 0.01 to 1 metre, or 0 for the recording's own")
        }
        let radius = radius == 0 ? recording.radius : radius
        if !azimuths.isEmpty {
            guard azimuths.count == recording.count else {
                throw ArrayPlanError(
                    "the list has \(counted(azimuths.count, "azimuth")), and the recording has \(recording.count) microphones")
            }
            for (i, azimuth) in azimuths.enumerated() {
                if let twin = azimuths[..<i].firstIndex(where: { abs(wrapDegrees(azimuth - $0)) < Self.closest }) {
                    throw ArrayPlanError("azimuths \(twin + 1) and \(i + 1) are the same place")
                }
            }
            return MicrophoneArray(azimuths: azimuths, radius: radius)
        }
        switch direction {
        case .recording: return MicrophoneArray(azimuths: recording.azimuthList, radius: radius)
        case .clockwise, .counterClockwise:
            return .uniform(count: recording.count, radius: radius, first: first, clockwise: direction == .clockwise)
        }
    }
}
