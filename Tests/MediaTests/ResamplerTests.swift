import DSP
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct ResamplerTests {
    let fixture = SoundFixture()

    @Test(arguments: [(44100.0, 48000.0), (96000, 48000), (48000, 44100), (32000, 48000), (44101, 48000)])
    func sineKeepsLevelPhaseAndPurity(from: Double, to: Double) throws {
        for quality in [Resampler.Quality.high, .veryHigh] {
            var resampler = try Resampler(from: from, to: to, channels: 2, quality: quality)
            let input = (0..<Int(from)).flatMap { [sine(1000, from, $0), sine(3000, from, $0)] }
            var output = [Float](repeating: 0, count: 2 * Int(to) + 64)
            var (consumed, produced) = (0, 0)
            // In blocks of varying size, as a ring accepts them.
            while consumed < Int(from) {
                let got = input.withUnsafeBufferPointer { input in
                    output.withUnsafeMutableBufferPointer { output in
                        resampler.process(
                            input.baseAddress! + 2 * consumed, frames: min(1000, Int(from) - consumed),
                            output: output.baseAddress! + 2 * produced,
                            capacity: min(333, output.count / 2 - produced))
                    }
                }
                consumed += got.consumed
                produced += got.produced
            }
            while true {
                let got = output.withUnsafeMutableBufferPointer { output in
                    resampler.flush(
                        output: output.baseAddress! + 2 * produced, capacity: min(333, output.count / 2 - produced))
                }
                if got == 0 { break }
                produced += got
            }
            #expect(abs(produced - Int(to)) <= 1)
            let left = (0..<produced).map { output[2 * $0] }
            // 0.1 s to 0.9 s: whole periods, away from the ends.
            let found = measure(left[Int(to / 10)..<Int(to / 10) * 9], frequency: 1000, rate: to)
            #expect(abs(decibels(found.level / 0.5)) < 0.1)
            #expect(decibels(found.rest / 0.35) < -100)
            #expect(abs(found.phase * to / 1000) < 0.01, "samples of delay")
        }
    }

    @Test func resetForgets() throws {
        var resampler = try Resampler(from: 44100, to: 48000, channels: 1)
        func run(_ input: [Float]) -> [Float] {
            var output = [Float](repeating: 0, count: 6000)
            let got = resampler.process(input, frames: input.count, output: &output, capacity: output.count)
            return Array(output[..<got.produced])
        }
        var random = SeededRandom()
        let noise = (0..<4410).map { _ in Float(random.white()) }
        let first = run(noise)
        _ = run(noise.reversed())
        resampler.reset()
        let again = run(noise)
        #expect(first.count > 3000)
        #expect(first == again)
    }

    @Test(arguments: [(44100, 48000.0), (48000, 44100), (192_000, 48000), (44101, 48000)])
    func seekGivesTheSameFramesAsPlayback(rate: Int, engineRate: Double) throws {
        let path = fixture.write("noise.wav", channels: 4, rate: rate, frames: rate) { frame, _ in
            // Two tones without a common period, so that every position differs.
            sine(997, Double(rate), frame, level: 0.3) + sine(1511.3, Double(rate), frame, level: 0.3)
        }
        var stream = try RecordingStream(try RecordingReader(path: path), engineRate: engineRate)
        var whole = [Float](repeating: 0, count: 4 * Int(engineRate))
        _ = try stream.read(into: &whole, frames: Int(engineRate), loop: false)
        var part = [Float](repeating: 0, count: 4 * 500)
        // At rates with a small common divisor, half a frame of two tones up to 1.5 kHz.
        let tolerance: Float = rate == 44101 ? 0.08 : 1e-4
        for place in [0, 1, 17, 1000, 12345, 30001, Int(engineRate) - 500] {
            try stream.seek(frame: place, loop: false)
            let got = try stream.read(into: &part, frames: 500, loop: false)
            #expect(got == 500)
            let worst = (0..<2000).map { abs(part[$0] - whole[4 * place + $0]) }.max()!
            #expect(worst <= tolerance, "at \(place)")
            if place == 12345 {
                // A shift by one frame is far outside the tolerance.
                let beside = (0..<1996).map { abs(part[$0] - whole[4 * place + $0 + 4]) }.max()!
                #expect(beside > 0.05)
            }
        }
    }
}
