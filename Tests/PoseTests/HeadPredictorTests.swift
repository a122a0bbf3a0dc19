import DSP
import Foundation
import Pose
import RenderInterface
import TestSupport
import Testing

/// Heads that turn about the vertical axis, tracked at 100 Hz, predicted 20 ms after each pose.
@Suite struct HeadPredictorTests {
    private static let ahead = 0.02
    private static let interval = 0.01

    private static func nanoseconds(_ time: Double) -> UInt64 { UInt64((time + 100) * 1e9) }

    /// Yaw in degrees `ahead` seconds after every pose, with and without prediction.
    private func follow(
        seconds: Double, noise: (Int) -> Double = { _ in 0 }, _ yaw: (Double) -> Double
    ) -> [(time: Double, predicted: Double, held: Double)] {
        var predictor = HeadPredictor()
        return (0..<Int(seconds / Self.interval)).map { i in
            let time = Double(i) * Self.interval
            let pose = Orientation.quaternion(yaw: Float(yaw(time) + noise(i)), pitch: 0, roll: 0)
            let trajectory = predictor.take(pose, time: Self.nanoseconds(time), ahead: Self.ahead)
            let turned = trajectory.predicted(pose, ahead: Float(Self.ahead), age: Float(Self.ahead))
            return (
                time + Self.ahead, Double(Orientation.angles(turned).yaw), Double(Orientation.angles(pose).yaw)
            )
        }
    }

    /// A minimum-jerk turn from 0 to `size` degrees, starting at half a second.
    private func turn(_ size: Double, seconds: Double) -> (Double) -> Double {
        { time in
            let x = min(1, max(0, (time - 0.5) / seconds))
            return size * x * x * x * (10 - 15 * x + 6 * x * x)
        }
    }

    @Test func constantTurnIsPredicted() {
        let looks = follow(seconds: 1) { 100 * $0 - 50 }.dropFirst(30)
        for look in looks {
            #expect(abs(look.predicted - (100 * look.time - 50)) < 0.05, "at \(look.time) s")
            // Negative control: a held pose is 20 ms late.
            #expect(abs(look.held - (100 * look.time - 50)) > 1.9)
        }
    }

    @Test(arguments: [(30.0, 0.2), (90.0, 0.34), (150.0, 0.57)])
    func overshootAtStopsIsBelowTheHoldError(size: Double, seconds: Double) {
        let truth = turn(size, seconds: seconds)
        let looks = follow(seconds: 2, truth)
        // From the middle of the turn, where the head begins to slow down.
        let braking = looks.filter { $0.time > 0.5 + seconds / 2 }
        let overshoot = braking.map { $0.predicted - size }.max()!
        let late = braking.map { abs($0.held - truth($0.time)) }.max()!
        print("turn of \(size) degrees in \(seconds) s: overshoot \(overshoot), held late by \(late) degrees")
        #expect(overshoot < 0.25 * late)
        #expect(braking.map { abs($0.predicted - truth($0.time)) }.max()! < 0.6 * late)
        // The prediction comes to rest.
        #expect(looks.suffix(20).allSatisfy { abs($0.predicted - size) < 0.01 })
    }

    /// At an abrupt stop, which no head makes, prediction is no worse than holding.
    @Test func overshootAtAbruptStopIsBelowTheHoldError() {
        let truth: (Double) -> Double = { 200 * min($0, 1) - 100 }
        let looks = follow(seconds: 2, truth)
        let late = looks.map { abs($0.held - truth($0.time)) }.max()!
        #expect(looks.dropFirst(30).map { abs($0.predicted - truth($0.time)) }.max()! <= late * 1.01)
    }

    @Test func jumpsAreNotPredicted() {
        let looks = follow(seconds: 2) { $0 < 1 ? 0 : 60 }
        for look in looks where look.time > 1.02 { #expect(abs(look.predicted - 60) < 1e-3, "at \(look.time) s") }
    }

    @Test func jitterAtRestIsFiltered() {
        var random = SeededRandom()
        let noise = (0..<2000).map { _ in 0.1 * ((0..<12).map { _ in random.unit() }.reduce(0, +) - 6) }
        let looks = follow(seconds: 20, noise: { noise[$0] }) { _ in 0 }.dropFirst(100)
        func size(_ values: [Double]) -> Double { (values.map { $0 * $0 }.reduce(0, +) / Double(values.count)).squareRoot() }
        let (predicted, held) = (size(looks.map(\.predicted)), size(looks.map(\.held)))
        print("jitter: \(held) degrees in, \(predicted) out")
        #expect(predicted < held)
    }

    @Test func silenceResetsThePrediction() {
        var predictor = HeadPredictor()
        var (pose, trajectory) = (SIMD4<Float>(1, 0, 0, 0), PoseTrajectory())
        for i in 0..<100 {
            pose = Orientation.quaternion(yaw: Float(i), pitch: 0, roll: 0)
            trajectory = predictor.take(pose, time: Self.nanoseconds(Double(i) * Self.interval), ahead: Self.ahead)
        }
        func yaw(_ age: Float) -> Float { Orientation.angles(trajectory.predicted(pose, ahead: age, age: age)).yaw }
        #expect(abs(yaw(0.03) - 102) < 0.1)
        #expect(trajectory.validity >= 0.05)
        #expect(abs(yaw(2 * trajectory.validity) - 99) < 1e-3 && abs(yaw(10) - 99) < 1e-3)
    }

    @Test func predictionIsAlwaysARotation() {
        var random = SeededRandom()
        var predictor = HeadPredictor()
        var time = 1e9
        for i in 0..<20_000 {
            // Backwards, at the same time, far ahead: clocks do all of these.
            time = max(1, time + [1e7, 0, -3e6, 1e3, 1e12, -1e12, 1e7][Int(random.unit() * 7)])
            let any = SIMD4<Float>((0..<4).map { _ in Float(random.unit() - 0.5) })
            let pose = Orientation.normalised(i % 50 < 40 ? SIMD4(1, 0, 0, 0) + any * 0.01 : any) ?? SIMD4(1, 0, 0, 0)
            let ahead = random.unit() * 0.2
            let trajectory = predictor.take(pose, time: UInt64(time), ahead: ahead)
            let head = trajectory.predicted(pose, ahead: Float(ahead), age: Float(random.unit()))
            let length = (head * head).sum()
            #expect(abs(length - 1) < 1e-4, "pose \(i)")
            guard length.isFinite else { return }
        }
    }
}
