internal import Glibc

/// Turns of the head for which an array needs separate filters.
///
/// A uniform ring that is turned by the distance of two microphones is the same ring with its channels shifted, so that
/// filters for the turns within one sector suffice. An uneven ring, or one with muted microphones, needs filters for the
/// whole circle.
public struct HRTFLayout: Sendable, Equatable {
    /// Largest distance between two sets of filters, degrees; the error of the ear's direction is at most half of it.
    static let finest = 1.0
    /// The same on an uneven ring, degrees.
    static let coarsest = 2.0

    public let array: MicrophoneArray
    /// Set of muted channels: bit k for channel k.
    public let muted: UInt64
    /// Channels of the microphones that are not muted, in order of rising azimuth.
    public let channels: [Int]
    /// Azimuths of ``channels``, degrees.
    public let azimuths: [Double]
    /// Number of sectors after which the ring repeats itself in one turn.
    public let sectors: Int
    /// Number of sets of filters within one sector.
    public let sets: Int

    /// - Parameter calibration: muted microphones are left out, unless all are muted.
    public init(_ array: MicrophoneArray, calibration: Calibration = Calibration()) {
        let order = (0..<array.count).map { Int(array.order[$0]) }
        let alive = order.filter { !calibration.isMuted($0) }
        channels = alive.isEmpty ? order : alive
        azimuths = channels.map { Double(array.azimuths[$0]) }
        self.array = array
        muted = calibration.muted
        let isUniform = RingFit.isUniform(azimuths)
        sectors = isUniform ? channels.count : 1
        sets = Int(clamping: (360 / Double(sectors) / (isUniform ? Self.finest : Self.coarsest)).rounded(.up))
    }

    /// Distance between two sets, degrees.
    public var spacing: Double { 360 / Double(sectors * sets) }

    public static func == (a: HRTFLayout, b: HRTFLayout) -> Bool {
        a.array.azimuthList == b.array.azimuthList && a.array.radius == b.array.radius && a.channels == b.channels
    }
}
