import Parameters
import Testing

@testable import Pose

/// Processing of a tracker's poses: axes, centre, drift, silence, and several trackers.
@Suite struct TrackerBehaviourTests {
    let second: UInt64 = 1_000_000_000

    func head(_ yaw: Float, _ pitch: Float = 0, _ roll: Float = 0) -> SIMD4<Float> {
        Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll)
    }

    @Test func axesAreMappedAndInverted() throws {
        var reader = TrackerReader(try #require(TrackerProfile.named("adm-osc")))
        func angles(_ map: AxisMap) throws -> (Float, Float, Float) {
            reader.map = map
            let reading = reader.read(address: "/adm/lis/ypr", arguments: [.float(30), .float(20), .float(10)], now: 1)
            #expect(TrackerProfileTests.degrees(try #require(reading.raw), head(30, 20, 10)) < 0.01)
            let angles = Orientation.angles(try #require(reading.pose))
            return (angles.yaw.rounded(), angles.pitch.rounded(), angles.roll.rounded())
        }
        #expect(try angles(AxisMap(yaw: true)) == (-30, 20, 10))
        #expect(try angles(AxisMap(pitch: true, roll: true)) == (30, -20, -10))
        #expect(try angles(AxisMap(.pitchYawRoll)) == (20, 30, 10))
        #expect(try angles(AxisMap(.rollYawPitch, yaw: true)) == (-10, 30, 20))
    }

    @Test func quaternionsAreMappedAsWholeFrames() throws {
        var reader = TrackerReader(try #require(TrackerProfile.named("hedrot")))
        reader.map = AxisMap(.rollPitchYaw, roll: true)
        // A turn about one axis becomes a turn about another.
        for (sent, wanted) in [(head(0, 0, 40), head(40)), (head(0, 40), head(0, 40)), (head(40), head(0, 0, -40))] {
            let reading = reader.read(
                address: "/hedrot/quaternion", arguments: (0..<4).map { .float(sent[$0]) }, now: 1)
            #expect(TrackerProfileTests.degrees(try #require(reading.pose), wanted) < 0.01)
        }
    }

    @Test func everyMapIsAnInvertiblePermutation() {
        #expect(AxisMap.all.count == 48)
        #expect(AxisMap.all.count { $0.isRightHanded } == 24)
        #expect(AxisMap.identity.isRightHanded && !AxisMap(yaw: true).isRightHanded)
        let seen = Set(AxisMap.all.map { "\($0.angles(SIMD3(1, 2, 3)))" })
        #expect(seen.count == 48)
    }

    @Test func centreAndMountAreCompensated() {
        var settings = TrackerSettings()
        settings.centre = 30
        let worn = SIMD4<Double>(head(0, 15, -20))
        settings.mount = Rotation.inverse(worn)
        var alignment = TrackerAlignment(settings)
        let tracker = SIMD4<Float>(Rotation.product(SIMD4<Double>(head(75, 10, 5)), worn))
        let found = alignment.head(tracker, now: 1)
        #expect(TrackerProfileTests.degrees(found, head(45, 10, 5)) < 0.01)
    }

    /// A gyroscope that drifts by 2 degrees a minute, on a head that looks ahead and occasionally aside.
    @Test func driftIsCorrectedOnlyWhenAskedAndOnlyNearTheFront() {
        func yawAfter(minutes: Double, correction: Double, resting: Double) -> Float {
            var settings = TrackerSettings()
            settings.drift = correction
            var alignment = TrackerAlignment(settings)
            var yaw: Float = 0
            for i in 0..<Int(minutes * 600) {
                let drifted = Float(resting + 2 * Double(i) / 600)
                yaw = Orientation.angles(alignment.head(head(drifted), now: UInt64(i) * second / 10)).yaw
            }
            return yaw
        }
        #expect(abs(yawAfter(minutes: 10, correction: 0, resting: 0) - 20) < 0.1)
        #expect(abs(yawAfter(minutes: 10, correction: 6, resting: 0)) < 0.1)
        // A correction that is too slow still reduces the drift.
        #expect(abs(yawAfter(minutes: 10, correction: 1, resting: 0) - 10) < 0.1)
        // A head that looks far aside is not pulled back.
        #expect(abs(yawAfter(minutes: 2, correction: 6, resting: 90) - 94) < 0.1)
    }

    @Test func driftIsNotLearntFromATurningHead() {
        var settings = TrackerSettings()
        settings.drift = 60
        var alignment = TrackerAlignment(settings)
        for i in 0..<600 { _ = alignment.head(head(40 * (i % 2 == 0 ? 1 : -1)), now: UInt64(i) * second / 10) }
        #expect(alignment.correction == 0)
        settings.drift = 0
        alignment.settings = settings
        #expect(alignment.correction == 0)
    }

    @Test func silentStreamIsHeldThenReturnsToFront() throws {
        var silence = TrackerSilence(timeout: 3, returnTime: 2)
        for i in 0..<100 { silence.note(head(90, 20), now: UInt64(i) * second / 100) }
        let last = 99 * second / 100
        #expect(silence.nextDue(now: last) == last + 3 * second)
        let held = silence.pose(now: last + 2 * second, home: head(0))
        #expect(held == nil)
        #expect(!silence.isOver(now: last + 2 * second))
        let begin = last + 3 * second
        var yaws: [Float] = []
        for i in 0...200 {
            guard let pose = silence.pose(now: begin + UInt64(i) * second / 100, home: head(0)) else { break }
            yaws.append(Orientation.angles(pose).yaw)
        }
        #expect(yaws.count == 201 && abs(yaws[0] - 90) < 0.01 && abs(yaws[200]) < 0.01)
        for (one, next) in zip(yaws, yaws.dropFirst()) { #expect(next <= one + 1e-3 && one - next < 1) }
        // After its return the head rests until the tracker sends again.
        #expect(silence.nextDue(now: begin + 5 * second) == nil && silence.isOver(now: begin + 5 * second))
        silence.note(head(10), now: begin + 6 * second)
        #expect(!silence.isOver(now: begin + 6 * second))
    }

    @Test func sporadicSendersAreNotSilent() {
        var knob = TrackerSilence(timeout: 3, returnTime: 2)
        for i in 0..<20 { knob.note(head(Float(i)), now: UInt64(i) * second) }
        #expect(knob.nextDue(now: 20 * second) == nil)
        let left = knob.pose(now: 100 * second, home: head(0))
        #expect(left == nil)
        var never = TrackerSilence(timeout: 0, returnTime: 2)
        for i in 0..<100 { never.note(head(90), now: UInt64(i) * second / 100) }
        #expect(never.nextDue(now: 2 * second) == nil)
    }

    @Test func lastTrackerThatMovedControlsTheHead() {
        var arbiter = HeadArbiter()
        var now: UInt64 = 0
        /// Runs one second of both trackers at 100 poses a second; returns how often each controlled the head.
        func second(_ first: (Int) -> Float, _ other: (Int) -> Float) -> (Int, Int) {
            var turned = (0, 0)
            for i in 0..<100 {
                now += 10_000_000
                if arbiter.offer(0, head(first(i)), now: now) { turned.0 += 1 }
                if arbiter.offer(1, head(other(i)), now: now) { turned.1 += 1 }
            }
            return turned
        }
        // Both have just started: the later one takes the head, and keeps it while neither moves.
        let atRest = second({ _ in 5 }, { _ in 50 })
        #expect(atRest == (1, 100))
        // The first one moves.
        let (first, other) = second({ Float(5 + $0) }, { _ in 50 })
        #expect(first > 90 && other < 10)
        // At rest it keeps the head, while the other only trembles and drifts.
        let kept = second({ _ in 104 }, { 50 + Float($0 % 2) + Float($0) * 0.002 })
        #expect(kept == (100, 0))
        let taken = second({ _ in 104 }, { 52 - Float($0) })
        #expect(taken.1 > 90)
        // A detached tracker leaves the head to the other, whether that moves or not.
        arbiter.forget(1)
        #expect(arbiter.holder == nil)
        let isTaken = arbiter.offer(0, head(104), now: now)
        #expect(isTaken)
    }

    @Test func manualControlLastsUntilATrackerMoves() {
        var arbiter = HeadArbiter()
        let begun = arbiter.offer(0, head(0), now: 1)
        arbiter.seize(HeadArbiter.direct)
        let trembled = arbiter.offer(0, head(1), now: 2)
        let moved = arbiter.offer(0, head(5), now: 3)
        #expect(begun && !trembled && moved)
        #expect(arbiter.holder == 0)
        // Sporadic poses are deliberate, even when the same pose is repeated.
        arbiter.seize(HeadArbiter.direct)
        let again = arbiter.offer(0, head(5), now: second)
        let later = arbiter.offer(0, head(5), now: 3 * second)
        #expect(!again && later)
    }
}
