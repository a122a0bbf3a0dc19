import Pose
import Testing

@Suite struct MotionTrackTests {
    @Test func interpolatesAlongTheShortestArcAtConstantSpeed() throws {
        let track = try MotionTrack(csv: "time,yaw,pitch,roll\n1,170,0,0\n2,-170,0,0\n\n", name: "m")
        func yaw(_ seconds: Double) -> Float { Orientation.angles(track.quaternion(at: seconds)).yaw }
        #expect(abs(yaw(0) - 170) < 1e-3)
        #expect(abs(yaw(1.25) - 175) < 1e-3)
        #expect(abs(abs(yaw(1.5)) - 180) < 1e-3)
        #expect(abs(yaw(9) + 170) < 1e-3)
    }

    @Test(arguments: [
        ("time,yaw\n", "motion m:1: the header must be \"time,yaw,pitch,roll\""),
        ("time,yaw,pitch,roll\n0,1,2\n", "motion m:2: expected four finite numbers (time,yaw,pitch,roll), found \"0,1,2\""),
        ("time,yaw,pitch,roll\n0,1e300,0,0\n", "motion m:2: expected four finite numbers (time,yaw,pitch,roll), found \"0,1e300,0,0\""),
        ("time,yaw,pitch,roll\n0,nan,0,0\n", "motion m:2: expected four finite numbers (time,yaw,pitch,roll), found \"0,nan,0,0\""),
        ("time,yaw,pitch,roll\n1,0,0,0\n1,0,0,0\n", "motion m:3: time 1.0 does not come after 1.0"),
        ("time,yaw,pitch,roll\n", "motion m:2: the file contains no poses; write at least one line of four numbers"),
    ])
    func invalidFileIsRefusedWithItsLineNumber(_ csv: String, _ words: String) {
        #expect(throws: MotionTrack.Failure(description: words)) { try MotionTrack(csv: csv, name: "m") }
    }
}
