import Binaural
import Crossing
import Foundation
import Render
import RenderInterface
import TestSupport
import Testing

/// Recordings that follow each other: without a gap, or with a crossfade.
@Suite struct FeedJointTests {
    /// A tone that is cut anywhere: neighbouring samples are never equal.
    func tone(_ frame: Int) -> Float { 0.4 * sinf(0.05 * Float(frame)) + 0.1 * sinf(0.31 * Float(frame)) }

    @Test(arguments: [1000, 1024, 1087, 64, 1])
    func aToneCutInTwoIsHeardWhole(_ cut: Int) {
        var whole = RenderHarness(method: .linear)
        whole.play(frames: 4000) { _, frame in tone(frame) }
        whole.render(blocks: 60)
        var harness = RenderHarness(method: .linear)
        harness.play(frames: cut) { _, frame in tone(frame) }
        harness.play(frames: 4000 - cut, number: 2, joint: FeedJoint(isSameArray: true)) { _, frame in tone(cut + frame) }
        harness.render(blocks: 60)
        #expect(harness.left.map(\.bitPattern) == whole.left.map(\.bitPattern))
        #expect(harness.right.map(\.bitPattern) == whole.right.map(\.bitPattern))
        let state = harness.engine.view().pointee
        #expect(state.feed == 2 && state.feedFrames == Int64(60 * 64 - cut))
    }

    @Test func threeShortRecordingsFollowEachOther() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 100) { _, frame in Float(frame) / 4096 }
        harness.render(blocks: 1)
        harness.play(frames: 50, number: 2, joint: FeedJoint(isSameArray: true)) { _, frame in Float(100 + frame) / 4096 }
        harness.render(blocks: 1)
        harness.play(frames: 300, number: 3, joint: FeedJoint(isSameArray: true)) { _, frame in Float(150 + frame) / 4096 }
        harness.render(blocks: 5)
        #expect(harness.left == (0..<448).map { Float($0) / 4096 })
    }

    @Test func aCrossfadeHasEqualPower() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 30_000) { _, _ in 0.5 }
        harness.play(frames: 30_000, number: 2, joint: FeedJoint(feed: 1, place: 6400, crossfade: 12_800, isSameArray: true)) { _, frame in
            frame % 2 == 0 ? 0.25 : -0.25
        }
        harness.render(blocks: 320)
        // The sum of two neighbouring samples has the first recording alone, their difference the second.
        for frame in stride(from: 0, to: 20_480, by: 2) {
            let (first, second) = ((harness.left[frame] + harness.left[frame + 1]) / 2, (harness.left[frame] - harness.left[frame + 1]) / 2)
            let share = min(max((Float(frame) + 1 - 6400) / 12_800, 0), 1)
            #expect(abs(first - 0.5 * cosf(share * .pi / 2)) < 2e-4 && abs(second - 0.25 * sinf(share * .pi / 2)) < 2e-4)
        }
        #expect(harness.engine.view().pointee.feed == 2)
    }

    @Test func aCrossfadeToOtherMicrophonesFadesOutThenIn() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 30_000) { _, _ in 0.5 }
        harness.play(
            frames: 30_000, number: 2, channels: 8, version: 1,
            joint: FeedJoint(feed: 1, place: 6400, crossfade: 12_800, isSameArray: false)
        ) { _, _ in 0.25 }
        harness.render(blocks: 320)
        let steps = zip(harness.left, harness.left.dropFirst()).map { abs($1 - $0) }
        #expect(steps.max() ?? 1 < 2e-4)
        #expect(harness.left[6300] == 0.5 && abs(harness.left[9600] - 0.25) < 0.01)
        #expect(abs(harness.left[12_800]) < 0.01 && abs(harness.left[16_064] - 0.125) < 0.01 && harness.left[20_000] == 0.25)
    }

    /// Places within a block, and at its edges.
    @Test(arguments: [640, 641, 703, 704, 1000])
    func aJumpIsExactToTheFrame(_ place: Int) {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 20_000) { _, frame in tone(frame) }
        harness.play(frames: 20_000, number: 2, start: 5000, joint: FeedJoint(exactlyAt: Int64(place), of: 1)) { _, frame in
            tone(5000 + frame)
        }
        harness.render(blocks: 60)
        #expect(harness.left.prefix(place).elementsEqual((0..<place).map(tone)))
        // The crossfade takes 960 frames, and begins with a block.
        let after = place + 64 + 960 + 64..<60 * 64
        #expect(after.allSatisfy { harness.left[$0] == tone(5000 + $0 - place) })
        let state = harness.engine.view().pointee
        #expect(state.feed == 2 && state.feedFrames == Int64(60 * 64 - place))
    }

    @Test func aJumpToTheSamePlaceIsNotHeard() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 20_000) { _, frame in tone(frame) }
        harness.play(frames: 20_000, number: 2, start: 777, joint: FeedJoint(exactlyAt: 777, of: 1)) { _, frame in tone(777 + frame) }
        harness.render(blocks: 60)
        #expect(zip(harness.left, (0..<60 * 64).map(tone)).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func aJumpOfAFeedThatHasGoneIsNotMade() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 3000) { _, frame in tone(frame) }
        harness.play(frames: 3000, number: 2, joint: FeedJoint(exactlyAt: 100, of: 7)) { _, _ in 1 }
        harness.render(blocks: 40)
        #expect(harness.left.prefix(2560).elementsEqual((0..<2560).map(tone)))
        // One that is late by more than it holds is not made either.
        harness.play(frames: 1000, number: 4, ends: false, joint: FeedJoint(exactlyAt: 100, of: 1)) { _, _ in 1 }
        harness.render(blocks: 2)
        #expect(harness.left.suffix(128).elementsEqual((2560..<2688).map(tone)))
        // Nor is one that lies behind the end, and the recording ends.
        harness.play(frames: 3000, number: 3, joint: FeedJoint(exactlyAt: 9000, of: 1)) { _, _ in 1 }
        harness.render(blocks: 20)
        #expect(harness.engine.view().pointee.feedEnded && harness.left.suffix(128).allSatisfy { $0 == 0 })
    }

    @Test func aWithdrawnRecordingIsNotPlayed() {
        var harness = RenderHarness(method: .nearest)
        let claim = Claim()
        harness.play(frames: 640) { _, _ in 0.5 }
        harness.play(frames: 640, number: 2, joint: FeedJoint(isSameArray: true), claim: claim) { _, _ in 0.25 }
        harness.render(blocks: 5)
        #expect(claim.withdraw() && !claim.isTaken)
        harness.render(blocks: 10)
        #expect(harness.left.suffix(320).allSatisfy { $0 == 0 })
        #expect(harness.engine.view().pointee.feedEnded)
    }

    @Test func aRecordingThatIsPlayedCannotBeWithdrawn() {
        var harness = RenderHarness(method: .nearest)
        let claim = Claim()
        harness.play(frames: 100) { _, _ in 0.5 }
        harness.play(frames: 640, number: 2, joint: FeedJoint(isSameArray: true), claim: claim) { _, _ in 0.25 }
        harness.render(blocks: 2)
        #expect(claim.isTaken && !claim.withdraw())
    }

    @Test func aSeekReplacesBothRecordingsOfACrossfade() {
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 30_000) { _, _ in 0.5 }
        harness.play(frames: 30_000, number: 2, joint: FeedJoint(crossfade: 12_800, isSameArray: true)) { _, _ in 0.5 }
        harness.render(blocks: 50)
        harness.play(frames: 30_000, number: 3) { _, _ in 0.125 }
        harness.render(blocks: 50)
        #expect(harness.left.suffix(64).allSatisfy { $0 == 0.125 })
        #expect(harness.engine.view().pointee.feed == 3)
    }
}
