import Evaluation
import Pose
import Testing

/// Prediction on the shipped recordings, through the input that live trackers use.
@Suite struct PredictionTests {
    @Test(arguments: [1, 2] as [UInt64])
    func atTwentyMillisecondsAThirdOfTheErrorIsLeftAtMostAndNoRecordingIsWorse(seed: UInt64) {
        let all = TrackerRecording.shipped(seed: seed).map { PredictionFigures($0, latency: 0.02, step: 0.003) }
        for figures in all {
            print("seed \(seed), \(figures.name): \(figures.held.mean) degrees held, \(figures.predicted.mean) predicted")
            #expect(figures.ratio < 1, "\(figures.name)")
            // The largest error is no worse either, apart from jitter at the beginning.
            #expect(figures.predicted.most < figures.held.most + 0.15, "\(figures.name)")
        }
        let held = all.map(\.held.mean).reduce(0, +)
        let predicted = all.map(\.predicted.mean).reduce(0, +)
        #expect(predicted / held <= 1.0 / 3)
    }

    /// The error without prediction grows with latency.
    @Test func theHeldErrorGrowsWithLatency() {
        let recording = TrackerRecording.shipped()[4]
        let (short, long) = (
            PredictionFigures(recording, latency: 0.005, step: 0.003), PredictionFigures(recording, latency: 0.05, step: 0.003)
        )
        #expect(long.held.mean > 5 * short.held.mean)
        #expect(long.ratio < 1 && short.ratio < 1)
    }

    @Test func theSameSeedMakesTheSameRecordings() {
        let (one, same, other) = (
            TrackerRecording.shipped(seed: 3)[8], TrackerRecording.shipped(seed: 3)[8], TrackerRecording.shipped(seed: 4)[8]
        )
        #expect(one.csv == same.csv)
        #expect(one.csv != other.csv)
        // Sixty poses a second, one in a hundred of them lost.
        #expect((1150...1199).contains(one.poses.count))
    }

    @Test func aMotionFileIsARecording() throws {
        let csv = (0..<200).reduce("time,yaw,pitch,roll\n") { $0 + "\(Double($1) / 100),\($1),0,0\n" }
        let figures = PredictionFigures(
            TrackerRecording(name: "even", track: try MotionTrack(csv: csv, name: "even")), latency: 0.02)
        // 100 degrees per second, 20 ms of latency and half an interval more.
        #expect(abs(figures.held.mean - 2.5) < 0.1)
        #expect(figures.predicted.mean < 0.3)
        #expect(abs(figures.rate - 100) < 0.1)
    }
}
