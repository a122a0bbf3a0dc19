import Specification
import Testing

@testable import Effects

/// Delays of effects move as their declaration says.
@Suite struct DelaySmootherTests {
    /// The mean time of a change is the integral of what remains of it.
    @Test(arguments: [44_100, 48_000, 96_000] as [Float], [0.5, -3] as [Double])
    func aSmallChangeTakesItsTimeOnAverage(_ rate: Float, _ change: Double) throws {
        guard case .glide(let seconds) = Chorus.Settings.parameters.first(where: { $0.spec.title == "Delay" })?.spec.smoothing else {
            Issue.record("the delay of the chorus does not glide")
            return
        }
        var smoother = DelaySmoother(rate: rate)
        smoother.jump(to: 100)
        var rest = 0.0
        for _ in 0..<Int(rate) / 16 {
            rest += (100 + change - smoother.delay) / change * 16 / Double(rate)
            _ = smoother.advance(to: 100 + change, limit: 1, frames: 16)
        }
        #expect(abs(rest - Double(seconds)) < 0.002, "\(rest) s")
        #expect(smoother.isResting(at: 100 + change))
    }
}
