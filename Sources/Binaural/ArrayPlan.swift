/// What a person says about the microphone array, over what the recording says.
public struct ArrayPlan: Sendable, Equatable {
    /// How microphones that are evenly spaced are numbered, seen from above.
    public enum Direction: Int, Sendable, CaseIterable {
        /// The recording knows where they are.
        case recording
        case clockwise, counterClockwise
    }

    /// Metres; 0 for what the recording says.
    public var radius: Float = 0
    /// Other than ``Direction/recording``: evenly spaced from ``first`` on.
    public var direction = Direction.recording
    /// Azimuth of the first microphone, degrees.
    public var first: Float = 0
    /// Where each microphone is, degrees; over all the above. None: as the above says.
    public var azimuths: [Float] = []
    /// Of each microphone, from the first on; those without an entry are as they are.
    public var calibration = Calibration()

    public init() {}

    /// Metres between which a sphere's radius lies.
    public static let radii: ClosedRange<Float> = 0.01...1
    /// Degrees; microphones closer than this are one place.
    public static let closest: Float = 0.01

    /// The array of a recording by this plan.
    /// - Throws: the reason, when the plan does not fit the recording.
    public func array(for recording: MicrophoneArray) throws(ArrayPlanError) -> MicrophoneArray {
        guard radius == 0 || Self.radii.contains(radius) else {
            throw ArrayPlanError("a radius of \(radius) m cannot be: it is 0.01 to 1 metre, or 0 for the recording's own")
        }
        let radius = radius == 0 ? recording.radius : radius
        if !azimuths.isEmpty {
            guard azimuths.count == recording.count else {
                throw ArrayPlanError("there are \(azimuths.count) azimuths, and the recording has \(recording.count) microphones")
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

/// Why a plan does not fit; for a person.
public struct ArrayPlanError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
