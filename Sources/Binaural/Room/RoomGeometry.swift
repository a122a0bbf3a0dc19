internal import CRealtime

/// Coordinates of a ``Shoebox`` as the audio thread uses them.
public struct RoomGeometry: BitwiseCopyable, Sendable {
    private let cosine: Float
    private let sine: Float
    private let middle: SIMD3<Float>
    private let most: SIMD3<Float>
    /// The listeners' place in room coordinates.
    public let listener: SIMD3<Float>

    public init(_ room: Shoebox) {
        let front = room.inRoom(SIMD3(1, 0, 0), isDirection: true)
        (cosine, sine) = (front[0], -front[1])
        middle = room.place + SIMD3(0, 0, room.size[2] / 2)
        most = room.size / 2 - 0.1
        listener = room.inRoom(.zero)
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

    /// A place of the world in room coordinates; one outside is moved to the nearest place inside.
    @_noLocks @_noAllocation
    public func inside(_ place: SIMD3<Float>) -> SIMD3<Float> {
        let turned = inRoom(direction: place - middle)
        return SIMD3(
            max(0 - most[0], min(most[0], turned[0])), max(0 - most[1], min(most[1], turned[1])), max(0 - most[2], min(most[2], turned[2])))
    }
}
