internal import Binaural

/// What one listener asks for in one block.
struct ListenerSettings: BitwiseCopyable {
    /// Unit quaternion w x y z, head to world.
    var head: SIMD4<Float>
    /// Degrees: the world yaw that counts as straight ahead.
    var front: Float
    /// Degrees from the nose.
    var earAzimuth: Float
    var method: InterpolationMethod
    /// As a factor; 0 when muted.
    var gain: Float

    @_noLocks @_noAllocation
    init(head: SIMD4<Float>, front: Float, earAzimuth: Float, method: InterpolationMethod, gain: Float) {
        self.head = head
        self.front = front
        self.earAzimuth = earAzimuth
        self.method = method
        self.gain = gain
    }
}
