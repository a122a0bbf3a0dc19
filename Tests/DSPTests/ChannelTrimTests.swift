import DSP
import Foundation
import Testing

/// Gains and delays of interleaved channels.
@Suite struct ChannelTrimTests {
    /// Processes `blocks` blocks of 64 frames of a formula, channel by channel; `before` is called before each.
    func run(
        channels: Int, blocks: Int, _ sample: (Int, Int) -> Float, before: (Int, inout ChannelTrim) -> Void
    ) -> [[Float]] {
        var trim = ChannelTrim(period: 64)
        var output = [[Float]](repeating: [], count: channels)
        for block in 0..<blocks {
            before(block, &trim)
            var samples = (0..<64 * channels).map { sample($0 % channels, block * 64 + $0 / channels) }
            trim.process(&samples, channels: channels, frames: 64, gainShare: 0.1, seconds: 64 / 48_000)
            for (i, x) in samples.enumerated() { output[i % channels].append(x) }
        }
        return output
    }

    func sine(_ hertz: Double, _ time: Double) -> Float { Float(sin(2 * .pi * hertz * time / 48_000)) }

    @Test func untouchedChannelsAreUntouched() {
        let output = run(channels: 3, blocks: 8) {
            Float($0) + Float($1 % 17)
        } before: { _, _ in
        }
        for channel in 0..<3 { for frame in 0..<512 { #expect(output[channel][frame] == Float(channel) + Float(frame % 17)) } }
    }

    @Test(arguments: [Float(0.25), 1, 7.5, 100.3, 240])
    func delaysAreExactAtOneKilohertz(_ delay: Float) {
        let output = run(channels: 5, blocks: 60) { _, frame in
            sine(1000, Double(frame))
        } before: { block, trim in
            if block == 0 {
                trim.set(3, gain: 1, delay: delay)
                trim.settle()
            }
        }
        for frame in 400..<3840 {
            #expect(abs(output[3][frame] - sine(1000, Double(frame) - Double(delay))) < 0.003)
            #expect(output[2][frame] == sine(1000, Double(frame)))
        }
    }

    /// All settings change during playback: no step is larger than those of the signal itself.
    @Test func changesDoNotClick() {
        let output = run(channels: 2, blocks: 400) { _, frame in
            sine(300, Double(frame))
        } before: { block, trim in
            if block == 50 { trim.set(0, gain: -2, delay: 0) }
            if block == 120 { trim.set(0, gain: -2, delay: 120.5) }
            if block == 130 { trim.set(0, gain: 0.5, delay: 3) }
            if block == 250 { trim.set(0, gain: 1, delay: 0) }
        }
        let steps = zip(output[0], output[0].dropFirst()).map { abs($0 - $1) }
        #expect(steps.max()! < 2.5 * 2 * .pi * 300 / 48_000)
        for frame in 110 * 64..<120 * 64 { #expect(abs(output[0][frame] + 2 * sine(300, Double(frame))) < 0.01) }
        for frame in 390 * 64..<400 * 64 { #expect(output[0][frame] == sine(300, Double(frame))) }
        #expect(output[1] == (0..<25_600).map { sine(300, Double($0)) })
    }
}
