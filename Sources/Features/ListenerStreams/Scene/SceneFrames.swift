/// A block of the scene on its way to the encoder: what all listeners share.
public struct SceneFrames {
    /// An audible object.
    public struct Object {
        /// Counted from 0.
        public var number: Int
        /// Unit vector from the listeners to it: front, left, up.
        public var direction: SIMD3<Float>
        /// One channel, with its level.
        public var sound: [Float]

        public init(number: Int, direction: SIMD3<Float>, sound: [Float]) {
            self.number = number
            self.direction = direction
            self.sound = sound
        }
    }

    /// The engine's sample count at the first frame.
    public var sample: Int64 = 0
    public var frames = 0
    /// Number of microphones; 0 without a recording.
    public var channels = 0
    /// Version of the array, which ``SceneStream/array`` describes.
    public var version: Int64 = 0
    /// Interleaved, calibrated.
    public var microphones: [Float] = []
    /// Left and right of the live input; empty without it.
    public var input: [[Float]] = []
    public var objects: [Object] = []

    public init() {}
}
