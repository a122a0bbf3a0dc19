import Streaming
import Testing

@Suite struct StrategyTests {
    static let bounds: [StreamBounds] = [.plain, .opus].flatMap { codec in
        [32_000, 96_000, 256_000].flatMap { rate in
            StreamEncoding.lengths.flatMap { length in
                [32_000, 64_000, 500_000].flatMap { lowest in
                    [5, 10, 20].flatMap { longest in
                        [true, false].map { mayCompress in
                            StreamBounds(
                                best: StreamEncoding(codec: codec, bitrate: rate, milliseconds: length), lowestBitrate: lowest,
                                longest: longest, mayCompress: mayCompress)
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: bounds)
    func noStepLeavesTheBoundsAndEachNeedsLess(_ bounds: StreamBounds) {
        let steps = StrategyLadder(bounds).steps
        #expect(steps.first?.encoding == bounds.best)
        #expect(steps.allSatisfy { bounds.allow($0) })
        for (step, next) in zip(steps, steps.dropFirst()) { #expect(next.wireRate < step.wireRate) }
    }

    @Test func stepsAreFewAndLarge() {
        let bounds = StreamBounds(best: StreamEncoding(codec: .opus, bitrate: 128_000, milliseconds: 10))
        let steps = StrategyLadder(bounds).steps
        #expect(steps.count <= 4)
        #expect((steps.last?.wireRate ?? 0) < 50_000)
        #expect(steps.last?.encoding == StreamEncoding(codec: .opus, bitrate: 32_000, milliseconds: 20))
    }

    /// Notes a state every 100 ms from a time on, and returns the times of changes.
    private func feed(_ chooser: inout StrategyChooser, _ state: LinkState, from begin: Double, seconds: Double) -> [Double] {
        stride(from: begin, to: begin + 1000 * seconds, by: 100).filter { chooser.note(state, now: $0) }
    }

    @Test func aFullBucketGoesToTheCheapestAtOnceAndCalmClimbsStepByStep() {
        let bounds = StreamBounds(best: StreamEncoding(codec: .opus, bitrate: 128_000, milliseconds: 10))
        var chooser = StrategyChooser(bounds)
        let hasFallen = chooser.note(.full, now: 0)
        #expect(hasFallen && chooser.isCheapest)
        let steps = StrategyLadder(bounds).steps.count
        let climbs = feed(&chooser, .calm, from: 100, seconds: 30)
        #expect(climbs.count == steps - 1 && chooser.isBest)
        #expect(zip(climbs, climbs.dropFirst()).allSatisfy { $1 - $0 >= 2000 })
    }

    /// A step up that strains the network ends before anything is late; what strains later changes nothing.
    @Test func anAttemptThatStrainsEndsAtOnce() {
        let bounds = StreamBounds(best: StreamEncoding(codec: .opus, bitrate: 128_000, milliseconds: 10))
        var chooser = StrategyChooser(bounds)
        _ = chooser.note(.full, now: 0)
        var now = 0.0
        repeat { now += 100 } while !chooser.note(.calm, now: now)
        #expect(!chooser.isCheapest)
        let hasFallen = chooser.note(.strained, now: now + 600)
        #expect(hasFallen && chooser.isCheapest)
        let later = feed(&chooser, .strained, from: now + 700, seconds: 30)
        #expect(later.isEmpty)
    }

    @Test func anAttemptThatFailsDelaysTheNextOne() {
        let bounds = StreamBounds(best: StreamEncoding(codec: .opus, bitrate: 128_000, milliseconds: 10))
        var chooser = StrategyChooser(bounds)
        var now = 0.0
        _ = chooser.note(.full, now: now)
        var waits: [Double] = []
        for _ in 0..<6 {
            let begin = now
            repeat { now += 100 } while !chooser.note(.calm, now: now)
            waits.append(now - begin)
            now += 1000
            _ = chooser.note(.full, now: now)
            #expect(chooser.isCheapest)
        }
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 > 1.7 * $0 || $0 > 15_000 })
        // A narrow network for an hour: changes are rare.
        let before = chooser.changes
        for _ in 0..<36_000 {
            now += 100
            if chooser.note(.calm, now: now) { _ = chooser.note(.full, now: now + 1000) }
        }
        #expect(chooser.changes - before < 240)
    }

    @Test func aStrainedNetworkNeitherClimbsNorFalls() {
        var chooser = StrategyChooser(StreamBounds(best: .plain))
        _ = chooser.note(.late, now: 0)
        let step = chooser.strategy
        let changes = feed(&chooser, .strained, from: 1000, seconds: 60)
        #expect(changes.isEmpty && chooser.strategy == step)
    }
}
