internal import DSP
internal import Glibc

/// A reflection as it arrives at the listeners.
public struct RoomReflection: Sendable {
    /// Number of walls that it was reflected by; 0 is the direct sound.
    public let order: Int
    /// Length of the sound's path, metres.
    public let distance: Float
    /// Direction of arrival in the world: azimuth and elevation, degrees.
    public let azimuth: Float
    public let elevation: Float
    /// Levels relative to the direct sound at 1 m, decibels in the octaves of `OctaveFilter`: walls, air and distance.
    public let decibels: SIMD8<Float>

    /// Time of arrival after the sound was made, seconds.
    public var delay: Float { distance / MicrophoneArray.speedOfSound }

    /// The direct sound and all reflections up to an order, the earliest first.
    ///
    /// - Parameter source: place in the world, metres.
    public static func all(_ room: Shoebox, source: SIMD3<Float>, order: Int) -> [RoomReflection] {
        let (from, listener, air) = (room.inRoom(source), room.inRoom(.zero), room.air.decibels)
        let turn = room.turn * .pi / 180
        func reflection(_ order: Int, _ place: SIMD3<Float>, _ walls: SIMD8<Float>) -> RoomReflection {
            let away = place - listener
            let distance = max(0.05, (away * away).sum().squareRoot())
            let (x, y) = (away[0] * cosf(turn) - away[1] * sinf(turn), away[0] * sinf(turn) + away[1] * cosf(turn))
            return RoomReflection(
                order: order, distance: distance, azimuth: atan2f(y, x) * 180 / .pi,
                elevation: atan2f(away[2], (x * x + y * y).squareRoot()) * 180 / .pi,
                decibels: walls - air * distance - 20 * log10f(distance))
        }
        let images = RoomImage.all(room, order: order).map { reflection($0.order, $0.place(from), $0.decibels) }
        return ([reflection(0, from, .zero)] + images).sorted { $0.distance < $1.distance }
    }
}
