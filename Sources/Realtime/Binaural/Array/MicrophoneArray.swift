internal import CRealtime

/// Positions of the microphones of a motion-tracked binaural recording, on the equator of a rigid sphere.
///
/// A plain value, so that it can cross to the audio thread. Channels keep the recording's order;
/// `order` sorts them by azimuth.
public struct MicrophoneArray: BitwiseCopyable, Sendable {
    /// The largest number of microphones.
    public static var capacity: Int { @_noLocks @_noAllocation @inlinable get { 64 } }
    /// Speed of sound, m/s.
    public static var speedOfSound: Float { @_noLocks @_noAllocation get { 343 } }
    /// Radius of a head, and of an array that names none, metres.
    public static var standardRadius: Double { @_noLocks @_noAllocation @inlinable get { 0.0875 } }

    public let count: Int
    /// Radius of the sphere, metres.
    public let radius: Float
    /// Azimuth of each channel, degrees, positive to the left, in (-180, 180]; zero past `count`.
    public let azimuths: InlineArray<64, Float>
    /// Channels in order of rising azimuth.
    let order: InlineArray<64, UInt8>

    /// - Parameters:
    ///   - azimuths: degrees, one per channel, no two alike; 1 to 64 of them.
    ///   - radius: radius of the sphere, metres.
    public init(azimuths list: [Float], radius: Float) {
        precondition((1...Self.capacity).contains(list.count), "an array has 1 to 64 microphones")
        let wrapped = list.map(wrapDegrees)
        var azimuths = InlineArray<64, Float>(repeating: 0)
        var order = InlineArray<64, UInt8>(repeating: 0)
        for (place, channel) in wrapped.indices.sorted(by: { wrapped[$0] < wrapped[$1] }).enumerated() {
            azimuths[channel] = wrapped[channel]
            order[place] = UInt8(channel)
        }
        count = list.count
        self.radius = radius
        self.azimuths = azimuths
        self.order = order
    }

    /// An evenly spaced array, numbered clockwise seen from above by default.
    public static func uniform(
        count: Int, radius: Float = Float(standardRadius), first: Float = 0, clockwise: Bool = true
    ) -> MicrophoneArray {
        let step = (clockwise ? -360 : 360) / Float(count)
        return MicrophoneArray(azimuths: (0..<count).map { first + Float($0) * step }, radius: radius)
    }

    /// The channels' azimuths as an array, in channel order, degrees.
    public var azimuthList: [Float] { (0..<count).map { azimuths[$0] } }
}

/// Wraps degrees into (-180, 180].
@_noLocks @_noAllocation
public func wrapDegrees(_ angle: Float) -> Float {
    let short = 180 - angle
    return 180 - (short - 360 * rt_floor(short / 360))
}
