internal import Binaural

/// Axes of a turned head in the world.
struct HeadAxes: BitwiseCopyable {
    private let front: SIMD3<Float>
    private let left: SIMD3<Float>
    private let up: SIMD3<Float>

    /// - Parameters:
    ///   - head: unit quaternion w x y z, head to world.
    ///   - yaw: world yaw that counts as straight ahead, degrees.
    @_noLocks @_noAllocation
    init(head: SIMD4<Float>, front yaw: Float) {
        let nose = Ears.directions(head: head, nose: SIMD2(1, 0), front: yaw)
        let ear = Ears.directions(head: head, nose: SIMD2(0, 1), front: yaw)
        let (a, b) = (SIMD3(nose.ahead[0], nose.left[0], nose.up[0]), SIMD3(ear.ahead[0], ear.left[0], ear.up[0]))
        (front, left) = (a, b)
        up = SIMD3(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    }

    /// A direction in the world as the head sees it.
    @_noLocks @_noAllocation
    func direction(_ world: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3((front * world).sum(), (left * world).sum(), (up * world).sum())
    }
}
