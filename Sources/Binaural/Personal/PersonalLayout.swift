internal import Glibc

/// For which turns of the head an array needs filters of its own.
///
/// Turned by one microphone's distance, a uniform ring is the same ring with its channels counted on, so that filters
/// for the turns within one sector are filters for all. A ring that is uneven, or has dead microphones, needs the
/// whole circle.
public struct PersonalLayout: Sendable, Equatable {
    /// Degrees between two sets of filters, at most: the ear is never further than half of it from where it should be.
    static let finest = 1.0
    /// The same on an uneven ring, which needs them all around.
    static let coarsest = 2.0

    public let array: MicrophoneArray
    /// Bit k: channel k is dead.
    public let muted: UInt64
    /// Channels of the microphones that are alive, by rising azimuth: their places.
    public let channels: [Int]
    /// Of these, degrees.
    public let azimuths: [Double]
    /// Times that the ring is the same in one turn.
    public let sectors: Int
    /// Sets of filters within one sector.
    public let sets: Int

    /// - Parameter calibration: what it mutes is left out; when it mutes all, nothing is.
    public init(_ array: MicrophoneArray, calibration: Calibration = Calibration()) {
        let order = (0..<array.count).map { Int(array.order[$0]) }
        let alive = order.filter { !calibration.isMuted($0) }
        channels = alive.isEmpty ? order : alive
        azimuths = channels.map { Double(array.azimuths[$0]) }
        self.array = array
        muted = calibration.muted
        let isUniform = RingFit.isUniform(azimuths)
        sectors = isUniform ? channels.count : 1
        sets = Int((360 / Double(sectors) / (isUniform ? Self.finest : Self.coarsest)).rounded(.up))
    }

    /// Degrees between two sets.
    public var spacing: Double { 360 / Double(sectors * sets) }

    public static func == (a: PersonalLayout, b: PersonalLayout) -> Bool {
        a.array.azimuthList == b.array.azimuthList && a.array.radius == b.array.radius && a.channels == b.channels
    }
}
