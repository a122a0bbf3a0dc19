/// A path that an object follows in time: a circle, or keyframes with straight lines between them. Plain values.
public enum ObjectMotion: Equatable, Sendable {
    /// Seconds, and a place in metres: front, left, up.
    public struct Keyframe: Equatable, Sendable {
        public var time: Double
        public var place: SIMD3<Float>

        public init(time: Double, place: SIMD3<Float>) {
            self.time = time
            self.place = place
        }
    }

    /// A level circle.
    ///
    /// - Parameters:
    ///   - centre, radius: metres.
    ///   - seconds: duration of a turn, to the left; a negative one is to the right.
    ///   - start: direction from the centre at the beginning, degrees to the left of the front.
    case circle(centre: SIMD3<Float>, radius: Float, seconds: Double, start: Double)
    /// In the order of their times; before the first and after the last one the object rests, unless the path loops.
    case keyframes([Keyframe], loops: Bool)
}
