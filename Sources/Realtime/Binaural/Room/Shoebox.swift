internal import DSP
internal import Glibc

/// A rectangular room: size, place, turn and six walls.
///
/// Room coordinates have their origin at the middle of the room, with the axes of the world turned about the vertical one.
public struct Shoebox: Sendable, Equatable {
    /// Walls in the order of `walls`: each axis has its positive side first.
    public enum Wall: Int, CaseIterable, Sendable {
        case front, back, left, right, ceiling, floor

        public var name: String {
            switch self {
            case .front: "front"
            case .back: "back"
            case .left: "left"
            case .right: "right"
            case .ceiling: "ceiling"
            case .floor: "floor"
            }
        }
    }

    /// Length (front to back), width (left to right) and height, metres.
    public var size: SIMD3<Float>
    /// Middle of the floor in the world, metres: front, left, up. The listeners stand at the world's origin.
    public var place: SIMD3<Float>
    /// Yaw of the room's front in the world, degrees, positive to the left.
    public var turn: Float
    /// Materials of the six walls.
    public var walls: [RoomMaterial]
    public var air: AirAbsorption

    /// Sizes that a room can have, metres.
    public static let sizes: ClosedRange<Float> = 1...100

    public init(
        size: SIMD3<Float>, place: SIMD3<Float>? = nil, turn: Float = 0, walls: [RoomMaterial], air: AirAbsorption = AirAbsorption()
    ) {
        precondition(walls.count == Wall.allCases.count)
        self.size = size
        // By default the listeners are in the middle, with their ears at 1.5 m or half the height.
        self.place = place ?? SIMD3(0, 0, -min(1.5, size[2] / 2))
        self.turn = turn
        self.walls = walls
        self.air = air
    }

    public static func == (a: Shoebox, b: Shoebox) -> Bool {
        a.size == b.size && a.place == b.place && a.turn == b.turn && a.walls == b.walls && a.air.temperature == b.air.temperature
            && a.air.humidity == b.air.humidity && a.air.pressure == b.air.pressure
    }

    public var volume: Float { size[0] * size[1] * size[2] }
    public var surface: Float { 2 * (size[0] * size[1] + size[0] * size[2] + size[1] * size[2]) }

    /// Area of a wall, square metres.
    public func area(_ wall: Wall) -> Float {
        switch wall {
        case .front, .back: size[1] * size[2]
        case .left, .right: size[0] * size[2]
        case .ceiling, .floor: size[0] * size[1]
        }
    }

    // MARK: Coordinates

    /// A place or direction of the world in room coordinates; a direction does not depend on the room's place.
    public func inRoom(_ point: SIMD3<Float>, isDirection: Bool = false) -> SIMD3<Float> {
        let moved = isDirection ? point : point - place - SIMD3(0, 0, size[2] / 2)
        let (c, s) = (cosf(turn * .pi / 180), sinf(turn * .pi / 180))
        return SIMD3(c * moved[0] + s * moved[1], c * moved[1] - s * moved[0], moved[2])
    }

    /// Whether a place of the world is inside, at least `margin` metres from every wall.
    public func contains(_ point: SIMD3<Float>, margin: Float = 0) -> Bool {
        let inside = inRoom(point)
        return (0..<3).allSatisfy { abs(inside[$0]) <= size[$0] / 2 - margin }
    }

    // MARK: Statistics

    /// Mean absorption, weighted by area, in the octaves of `OctaveFilter`.
    public var meanAbsorption: SIMD8<Float> {
        var sum = SIMD8<Float>.zero
        for wall in Wall.allCases { sum += (1 - walls[wall.rawValue].reflection) * area(wall) }
        return sum / surface
    }

    /// Reverberation times by Eyring's formula with air, seconds, in the octaves of `OctaveFilter`.
    public var reverberationTimes: SIMD8<Float> {
        let (absorption, attenuation) = (meanAbsorption, air.decibels)
        var times = SIMD8<Float>.zero
        for band in 0..<8 {
            // Energy attenuation of the air in nepers per metre.
            let m = attenuation[band] * logf(10) / 10
            let equivalent = -surface * logf(1 - absorption[band]) + 4 * m * volume
            times[band] = 24 * logf(10) * volume / (MicrophoneArray.speedOfSound * equivalent)
        }
        return times
    }

    /// Distance at which the direct sound is as strong as the reverberation, metres, in the octaves of `OctaveFilter`.
    public var criticalDistances: SIMD8<Float> {
        let absorption = meanAbsorption
        var distances = SIMD8<Float>.zero
        for band in 0..<8 {
            distances[band] = (surface * absorption[band] / (1 - absorption[band]) / (16 * .pi)).squareRoot()
        }
        return distances
    }
}
