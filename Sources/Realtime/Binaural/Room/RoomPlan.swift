/// A room for the renderer, computed from a ``Shoebox`` outside of the audio thread.
public struct RoomPlan: Sendable {
    public let room: Shoebox
    /// Images that are rendered for every source, the nearest first.
    public let images: [RoomImage]
    public let late: LateFieldPlan

    /// - Parameters:
    ///   - order: highest order of the image sources, 0 to 5.
    ///   - rate: frames per second.
    ///   - isWanted: called from time to time; returns whether to continue.
    /// - Returns: nil when `isWanted` returned false.
    public init?(_ room: Shoebox, order: Int, rate: Float, isWanted: () -> Bool = { true }) {
        guard let late = LateFieldPlan(room, order: order, rate: rate, isWanted: isWanted) else { return nil }
        self.room = room
        images = RoomImage.all(room, order: order)
        self.late = late
    }

    /// Longest path of a reflection between any two places inside, metres.
    public var longestWay: Float {
        images.reduce(0) { longest, image in
            var sum: Float = 0
            for axis in 0..<3 { sum += (abs(image.shift[axis]) + room.size[axis]) * (abs(image.shift[axis]) + room.size[axis]) }
            return max(longest, sum.squareRoot())
        }
    }
}
