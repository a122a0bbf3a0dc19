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
        "time,yaw,pitch,roll\r\n0,90,-20,10\r\n1,0,0,0\r\n",
        "\u{FEFF}time;yaw;pitch;roll\n0;90;-20;10\n1;0;0;0\n",
        "Zeit;roll [deg];time (ms);pitch_deg;Yaw\n# comment\n9;10,0;0,0;-20,0;90,0\n\n9;0;1000;0;0\n",
        "time yaw pitch roll\n 0 9e1  -20 10\n1 0 0 0\n",
        "sep=;\r\ntime;yaw;pitch;roll\r\n0;90,0;-20;10\r\n1;0;0;0\r\n;;;\r\n;;;\r\n",
        "\"sep=|\"\ntime|yaw|pitch|roll\n0|90|-20|10\n1|0|0|0\n",
        "\"time\",\"yaw\",\"pitch\",\"roll\"\n\"0,0\",\"90,0\",\"-2,0e1\",\"10\"\n\"1,0\",0,0,0\n",
        "# time,yaw,pitch,roll\n0.000e+00,9.000e+01,-2.0e+01,1.0e+01\n1.0e+00,0,0,0\n# the end\n",
        "# time,yaw,pitch,roll: as below\ntime,yaw,pitch,roll\n0,90,-20,10\n1,0,0,0\n",
        "time\tyaw_rad\tpitch_rad\troll_rad\n0\t1.5707963\t-0.34906585\t0.17453293\n1\t0\t0\t0\n",
        // The product of turns by 90 degrees about z, 20 about y and 10 about x.
        "t,qx,qy,qz,qw,confidence\n0,-0.0616284,0.1830127,0.6830127,0.7044160,1\n1,0,0,0,2,1\n",
    ])
    func columnsAreTakenInAnyOrderUnitAndNotation(_ csv: String) throws {
        let track = try MotionTrack(csv: csv, name: "m")
        let (yaw, pitch, roll) = Orientation.angles(track.quaternion(at: 0))
        #expect(abs(yaw - 90) < 1e-3 && abs(pitch + 20) < 1e-3 && abs(roll - 10) < 1e-3, "\(yaw) \(pitch) \(roll)")
        let end = Orientation.angles(track.quaternion(at: 1))
        #expect(abs(end.yaw) < 1e-3 && abs(end.pitch) < 1e-3 && abs(end.roll) < 1e-3, "\(end)")
    }

    @Test(arguments: [("190", -170), ("-190", 170), ("1000", -80), ("360000.03", 0.03), ("-999999.98", 80.02)] as [(String, Float)])
    func anglesGoRoundWithoutLosingPrecision(_ text: String, _ expected: Float) throws {
        let track = try MotionTrack(csv: "time,yaw\n0,\(text)\n", name: "m")
        let yaw = Orientation.angles(track.quaternion(at: 0)).yaw
        #expect(abs(yaw - expected) < 1e-3, "\(yaw)")
    }

    @Test(arguments: [
        ("", "1: the file is empty; the first line must name the columns: \(expected)"),
        ("pitch,roll\n", "1: found the columns \"pitch,roll\", expected \(expected)"),
        ("0,1,2,3\n", "1: found the columns \"0,1,2,3\", expected \(expected)"),
        ("time,yaw_gradians\n0,1\n", "1: found the columns \"time,yaw_gradians\", expected \(expected)"),
        ("time,w,x,y\n", "1: found the columns \"time,w,x,y\", expected \(expected)"),
        ("time,yaw,Yaw\n", "1: yaw is in the columns \"yaw,Yaw\"; keep one of them"),
        (
            "time,w,x,y,z,Yaw\n0,1,0,0,0,5\n",
            "1: there are quaternions (w,x,y,z) and angles (\"Yaw\"); keep one of these: \(expected)"
        ),
        ("time,yaw,pitch,roll\n0,1,2\n", "2: found 3 fields where the header names 4: \"0,1,2\""),
        ("time,yaw,pitch,roll\r\n\r\n0,nan,0,0\r\n", "3: yaw is \"nan\", expected a finite number"),
        ("time,yaw\n0,1e300\n", "2: yaw is \"1e300\", expected a finite number"),
        ("time,yaw\n0,0\n1,1e9\n", "3: yaw is 1e9, expected at most 1000000 degrees either way"),
        ("time,yaw,roll\n0,0,-1000001\n", "2: roll is -1000001, expected at most 1000000 degrees either way"),
        ("time,yaw_rad\n0,2e4\n", "2: yaw is 2e4, expected at most 17453 radians either way"),
        ("time;yaw\n0;1,2,3\n", "2: yaw is \"1,2,3\", expected a finite number"),
        ("time,yaw,pitch,roll\n1,0,0,0\n1,0,0,0\n", "3: time 1.0 does not come after 1.0"),
        ("time,w,x,y,z\n0,0,0,0,0\n", "2: the quaternion is 0; expected one of length 1"),
        ("time,yaw,pitch,roll\n", "2: the file contains no poses; write at least one line of numbers below the header"),
    ])
    func invalidFileIsRefusedWithItsLineAndWhatWasFound(_ csv: String, _ words: String) {
        #expect(throws: MotionTrack.Failure(description: "motion m:" + words)) { try MotionTrack(csv: csv, name: "m") }
    }

    @Test func placesAreColumnsBesideAnglesOrQuaternions() throws {
        let plain = try MotionTrack(csv: "time,yaw,x,y,z\n0,0,0,0,0\n1,90,2,-1,0.5\n", name: "m")
        #expect(plain.place(at: 0.5) == SIMD3(1, -0.5, 0.25))
        #expect(abs(Orientation.angles(plain.quaternion(at: 1)).yaw - 90) < 1e-3)
        let turned = try MotionTrack(csv: "time;px (cm);py (cm);pz (cm);w;x;y;z\n0;100;0;0;1;0;0;0\n", name: "m")
        #expect(turned.place(at: 3) == SIMD3(1, 0, 0))
        #expect(try MotionTrack(csv: "time,yaw\n0,5\n", name: "m").place(at: 0) == .zero)
        #expect(throws: MotionTrack.Failure(description: "motion m:2: left is -101, expected at most 100 m either way")) {
            try MotionTrack(csv: "time,yaw,x,y,z\n0,0,0,-101,0\n", name: "m")
        }
    }

    private static let expected =
        "\"time,yaw,pitch,roll\" (seconds, degrees; pitch and roll may be missing) or \"time,w,x,y,z\""
}
