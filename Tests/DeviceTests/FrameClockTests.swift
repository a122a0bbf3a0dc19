import DSP
import Foundation
import TestSupport
import Testing

@testable import Device

@Suite struct FrameClockTests {
    let rate = 48_000
    let block = 64

    /// True time of a frame in nanoseconds, for a clock that deviates by `drift`.
    func truth(_ frame: Int, drift: Double = 0) -> Double { 1e9 + Double(frame) * 1e9 / 48_000 * (1 + drift) }

    /// Feeds times with an error for every block, and returns the errors of the fit in milliseconds.
    func errors(
        blocks: Int, drift: Double = 0, clock: inout FrameClock, error: (Int) -> Double
    ) -> [Double] {
        (0..<blocks).map { index in
            let time = truth(index * block, drift: drift)
            let fitted = clock.fit(UInt64(time + error(index) * 1e6), after: block)
            return (Double(fitted) - time) / 1e6
        }
    }

    @Test(arguments: [-200e-6, 0, 200e-6])
    func jitterIsAveraged(drift: Double) {
        var random = SeededRandom()
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 7500, drift: drift, clock: &clock) { _ in random.within(-1...1) }
        let late = fit.dropFirst(3750).map { $0 * $0 }
        let deviation = (late.reduce(0, +) / Double(late.count)).squareRoot()
        // Uniform noise of 1 ms has a standard deviation of .577 ms.
        #expect(deviation < 0.1, "\(deviation) ms")
        #expect(abs(clock.residual / 1e6 - 0.577) < 0.1, "\(clock.residual)")
        #expect(clock.jumps == 0)
    }

    /// A server that asks for ten blocks at once: each is output after the one before.
    @Test func burstsAreSpread() {
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 7500, clock: &clock) { index in -Double(index % 10) * 64 / 48 }
        // The mean of the burst is 6 ms before its first block.
        #expect(fit.dropFirst(3750).allSatisfy { abs($0 + 6) < 0.5 }, "\(fit.suffix(10))")
    }

    @Test func singleTimesFarOffAreLeftOut() {
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 3000, clock: &clock) { $0 == 2000 || $0 == 2500 ? 300 : 0 }
        #expect(fit.allSatisfy { abs($0) < 0.001 }, "\(fit.max() ?? 0)")
        #expect(clock.jumps == 2)
    }

    @Test func aLastingJumpIsFollowed() {
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 4000, clock: &clock) { $0 < 2000 ? 0 : 40 }
        #expect(abs(fit[2100]) < 0.001 && clock.jumps == 1)
        // Half a second later.
        #expect(abs(fit[2400] - 40) < 0.001, "\(fit[2400])")
    }

    /// A driver that tells two times in turn: the fit does not stay at the rarer one, which came first.
    @Test func theMajorityIsFollowed() {
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 6000, clock: &clock) { $0 < 1500 || $0 % 5 == 0 ? 0 : 12 }
        #expect(abs(fit[5999] - 12) < 3, "\(fit[5999])")
    }

    /// Frames that a server leaves out, block by block: the fit follows each within half a second.
    @Test func smallSlipsAreFollowed() {
        var clock = FrameClock(rate: rate)
        let fit = errors(blocks: 9000, clock: &clock) { Double($0 / 1500) * 1.333 }
        for slip in 1..<6 { #expect(abs(fit[slip * 1500 + 375] - Double(slip) * 1.333) < 0.2, "\(slip)") }
    }
}
