import Streaming
import Testing

@Suite struct VideoLadderTests {
    private static let lowest = [
        VideoStrategy(bitrate: 30_000, rate: 1, height: 90), VideoStrategy(bitrate: 100_000, rate: 5, height: 120),
        VideoStrategy(bitrate: 900_000, rate: 25, height: 480), VideoStrategy(bitrate: 2_000_000, rate: 30, height: 90),
        VideoStrategy(bitrate: -5, rate: 0, height: 99_999),
    ]

    /// Bounds are never undercut, and each step needs clearly fewer bits.
    @Test(arguments: lowest, [30_000, 250_000, 1_000_000, 4_000_000])
    func stepsKeepTheBoundsOfTheUser(_ lowest: VideoStrategy, _ bitrate: Int) {
        let bounds = VideoBounds(best: VideoStrategy(bitrate: bitrate, rate: 25, height: 720), lowest: lowest)
        let steps = VideoLadder(bounds).steps
        #expect(steps.first == bounds.best)
        #expect(steps.last?.bitrate == bounds.lowest.bitrate)
        #expect(steps.count <= 9)
        for step in steps { #expect(bounds.allow(step)) }
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(Double(next.bitrate) <= 0.75 * Double(step.bitrate) || steps.count == 2)
            #expect(next.rate <= step.rate && next.height <= step.height)
        }
    }

    @Test func fewBitsMakeThePictureSmallerAndThenSlowerDownToStills() {
        let bounds = VideoBounds(
            best: VideoStrategy(bitrate: 4_000_000, rate: 25, height: 720), lowest: VideoStrategy(bitrate: 30_000, rate: 1, height: 180))
        let last = VideoLadder(bounds).steps.last
        #expect(last?.height ?? 720 <= 240 && last?.rate ?? 25 < 25)
    }
}
