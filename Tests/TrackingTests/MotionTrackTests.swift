import Testing
import Tracking

@Suite struct MotionTrackTests {
    @Test func turnsTheShortWayAtConstantSpeed() throws {
        let track = try MotionTrack(csv: "time,yaw,pitch,roll\n1,170,0,0\n2,-170,0,0\n\n", name: "m")
        func yaw(_ seconds: Double) -> Float { Orientation.angles(track.quaternion(at: seconds)).yaw }
        #expect(abs(yaw(0) - 170) < 1e-3)
        #expect(abs(yaw(1.25) - 175) < 1e-3)
        #expect(abs(abs(yaw(1.5)) - 180) < 1e-3)
        #expect(abs(yaw(9) + 170) < 1e-3)
    }

    @Test(arguments: [
        ("time,yaw\n", "motion m:1: the header has to be \"time,yaw,pitch,roll\""),
        ("time,yaw,pitch,roll\n0,1,2\n", "motion m:2: four finite numbers are needed (time,yaw,pitch,roll), found \"0,1,2\""),
        ("time,yaw,pitch,roll\n0,nan,0,0\n", "motion m:2: four finite numbers are needed (time,yaw,pitch,roll), found \"0,nan,0,0\""),
        ("time,yaw,pitch,roll\n1,0,0,0\n1,0,0,0\n", "motion m:3: time 1.0 does not come after 1.0"),
        ("time,yaw,pitch,roll\n", "motion m:2: there is no pose; write at least one line of four numbers"),
    ])
    func aWrongFileIsRefusedWithItsLine(_ csv: String, _ words: String) {
        #expect(throws: MotionTrack.Failure(description: words)) { try MotionTrack(csv: csv, name: "m") }
    }
}
