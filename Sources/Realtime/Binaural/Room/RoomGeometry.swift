internal import CRealtime

/// Coordinates of a ``Shoebox`` as the audio thread uses them, and how much sound its walls let through.
public struct RoomGeometry: BitwiseCopyable, Sendable {
    private let cosine: Float
    private let sine: Float
    private let middle: SIMD3<Float>
    private let half: SIMD3<Float>
    /// The listeners' place in room coordinates.
    public let listener: SIMD3<Float>
    /// Levels behind each wall, decibels in the octaves of `OctaveFilter`: front and back, left and right, ceiling and floor.
    private let front: SIMD8<Float>
    private let back: SIMD8<Float>
    private let left: SIMD8<Float>
    private let right: SIMD8<Float>
    private let ceiling: SIMD8<Float>
    private let floor: SIMD8<Float>
    /// Distance from the walls at which sources outside are mirrored, metres.
    private static var margin: Float { @_noLocks @_noAllocation get { 0.1 } }
    /// Longest distance between a source outside and the walls for which its sound is delayed, metres.
    public static var farthestOutside: Float { @_noLocks @_noAllocation get { 30 } }

    public init(_ room: Shoebox) {
        let ahead = room.inRoom(SIMD3(1, 0, 0), isDirection: true)
        (cosine, sine) = (ahead[0], -ahead[1])
        middle = room.place + SIMD3(0, 0, room.size[2] / 2)
        half = room.size / 2
        listener = room.inRoom(.zero)
        func level(_ wall: Shoebox.Wall) -> SIMD8<Float> { room.walls[wall.rawValue].transmission }
        (front, back, left, right) = (level(.front), level(.back), level(.left), level(.right))
        (ceiling, floor) = (level(.ceiling), level(.floor))
    }

    /// A direction of the world in room coordinates.
    @_noLocks @_noAllocation
    public func inRoom(direction: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(cosine * direction[0] + sine * direction[1], cosine * direction[1] - sine * direction[0], direction[2])
    }

    /// A direction of the room in the world.
    @_noLocks @_noAllocation
    public func inWorld(direction: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(cosine * direction[0] - sine * direction[1], sine * direction[0] + cosine * direction[1], direction[2])
    }

    /// A place of the world in room coordinates.
    @_noLocks @_noAllocation
    public func inRoom(place: SIMD3<Float>) -> SIMD3<Float> { inRoom(direction: place - middle) }

    /// The nearest place inside, for a place in room coordinates.
    @_noLocks @_noAllocation
    public func inside(_ place: SIMD3<Float>) -> SIMD3<Float> {
        let most = half - Self.margin
        return SIMD3(
            max(0 - most[0], min(most[0], place[0])), max(0 - most[1], min(most[1], place[1])), max(0 - most[2], min(most[2], place[2])))
    }

    /// Walls that a place in room coordinates is behind: bit 2 * axis + side, as in ``Shoebox/Wall``.
    @_noLocks @_noAllocation
    public func walls(before place: SIMD3<Float>) -> UInt8 {
        var walls: UInt8 = 0
        for axis in 0..<3 where abs(place[axis]) > half[axis] { walls |= 1 << UInt8(2 &* axis &+ (place[axis] > 0 ? 0 : 1)) }
        return walls
    }

    /// Levels of sound behind the wall between a place in room coordinates and the listeners, decibels in the octaves; zeros for places
    /// inside.
    @_noLocks @_noAllocation
    public func transmission(_ place: SIMD3<Float>) -> SIMD8<Float> {
        // The straight line from the listeners leaves the room through the wall that it reaches first.
        var (first, wall) = (Float(1), -1)
        for axis in 0..<3 {
            let way = place[axis] - listener[axis]
            guard abs(place[axis]) > half[axis], way != 0 else { continue }
            let share = ((way > 0 ? half[axis] : 0 - half[axis]) - listener[axis]) / way
            guard share < first else { continue }
            (first, wall) = (share, 2 &* axis &+ (way > 0 ? 0 : 1))
        }
        return level(wall)
    }

    /// Levels of sound behind the walls between two places in room coordinates, decibels in the octaves; zeros where there is none.
    @_noLocks @_noAllocation
    public func transmission(_ place: SIMD3<Float>, to listener: SIMD3<Float>) -> SIMD8<Float> {
        // Shares of the straight way at which it enters the room and leaves it, and the walls there.
        var (entry, exit, first, last) = (Float(-1e9), Float(1e9), -1, -1)
        for axis in 0..<3 {
            let way = place[axis] - listener[axis]
            guard abs(way) > 1e-6 else {
                if abs(listener[axis]) > half[axis] { return .zero }
                continue
            }
            let (low, high) = ((0 - half[axis] - listener[axis]) / way, (half[axis] - listener[axis]) / way)
            let side = way > 0 ? 0 : 1
            if min(low, high) > entry { (entry, first) = (min(low, high), 2 &* axis &+ 1 &- side) }
            if max(low, high) < exit { (exit, last) = (max(low, high), 2 &* axis &+ side) }
        }
        guard entry < exit, entry < 1, exit > 0 else { return .zero }
        return (entry > 0 ? level(first) : .zero) + (exit < 1 ? level(last) : .zero)
    }

    /// Levels behind a wall, as in ``Shoebox/Wall``.
    @_noLocks @_noAllocation
    private func level(_ wall: Int) -> SIMD8<Float> {
        switch wall {
        case 0: front
        case 1: back
        case 2: left
        case 3: right
        case 4: ceiling
        case 5: floor
        default: .zero
        }
    }
}
