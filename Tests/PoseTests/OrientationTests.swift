import Pose
import Testing

@Suite struct OrientationTests {
    /// Rotates a vector from head coordinates to world coordinates.
    func rotate(_ q: SIMD4<Float>, _ v: SIMD3<Float>) -> SIMD3<Float> {
        let u = SIMD3(q[1], q[2], q[3])
        func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
            .init(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let t = 2 * cross(u, v)
        return v + q[0] * t + cross(u, t)
    }

    let front = SIMD3<Float>(1, 0, 0)
    let left = SIMD3<Float>(0, 1, 0)

    @Test func signsFollowTheConventions() {
        let yaw = rotate(Orientation.quaternion(yaw: 90, pitch: 0, roll: 0), front)
        #expect(yaw.y > 0.999)  // Turned to the left, the nose points left.
        let pitch = rotate(Orientation.quaternion(yaw: 0, pitch: 90, roll: 0), front)
        #expect(pitch.z > 0.999)  // Up.
        let roll = rotate(Orientation.quaternion(yaw: 0, pitch: 0, roll: 90), -left)
        #expect(roll.z < -0.999)  // The right ear goes down.
        let both = rotate(Orientation.quaternion(yaw: 90, pitch: 45, roll: 0), front)
        #expect(abs(both.y - 0.7071) < 1e-4 && abs(both.z - 0.7071) < 1e-4)  // Yaw first, then pitch.
    }

    @Test func anglesRoundTrip() {
        for yaw in stride(from: Float(-171), through: 179, by: 35) {
            for pitch in stride(from: Float(-80), through: 80, by: 32) {
                for roll in stride(from: Float(-170), through: 170, by: 68) {
                    let back = Orientation.angles(Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll))
                    #expect(abs(back.yaw - yaw) < 0.01 && abs(back.pitch - pitch) < 0.01 && abs(back.roll - roll) < 0.01)
                }
            }
        }
    }

    @Test func nonRotationsAreRefused() {
        #expect(Orientation.normalised(.zero) == nil)
        #expect(Orientation.normalised(.init(.nan, 0, 0, 1)) == nil)
        #expect(Orientation.normalised(.init(.infinity, 0, 0, 1)) == nil)
        #expect(Orientation.normalised(.init(0, 0, 0, 5)) == .init(0, 0, 0, 1))
        #expect(Orientation.normalised(.init(3e38, -3e38, 3e38, 3e38)) == .init(0.5, -0.5, 0.5, 0.5))
    }
}
