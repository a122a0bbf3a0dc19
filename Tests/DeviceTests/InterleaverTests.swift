import DSP
import Testing

@testable import Device

@Suite struct InterleaverTests {
    @Test func floatsPassUnchanged() {
        var samples = Interleaver(.float, frames: 2)
        samples.fill([1, 2.5, 0, -3, 4, 0], stride: 3, frames: 2)
        let taken = [Float](UnsafeBufferPointer(start: samples.bytes.assumingMemoryBound(to: Float.self), count: 4))
        #expect(taken == [1, -3, 2.5, 4])
    }

    static let integers32: [(Float, Int32)] = [
        (0, 0), (1, .max), (-1, .min), (7, .max), (-7, .min), (0.5, 1 << 30), (.nan, 0),
    ]
    static let integers16: [(Float, Int16)] = [
        (0, 0), (1, .max), (-1, .min), (9, .max), (-9, .min), (0.5, 16384), (-0.5, -16384), (.nan, 0),
        (1.831e-5, 1), (-1.831e-5, -1), (1.221e-5, 0), (-1.221e-5, 0),  // 0.6 and 0.4 steps.
    ]

    @Test(arguments: integers32) func integersOf32BitsAreLimited(sample: Float, expected: Int32) {
        #expect(Interleaver.integer32(sample) == expected)
    }

    @Test(arguments: integers16) func integersOf16BitsAreRoundedAndLimited(sample: Float, expected: Int16) {
        #expect(Interleaver.integer16(sample, noise: 0) == expected)
    }

    /// The mean of the dithered output equals the input, also between steps. The power of the error is that of
    /// triangular dither and rounding, a quarter of a step squared, for any input.
    @Test(arguments: [Float(0), 0.25, 0.5, 0.9, -0.3])
    func ditherMakesTheErrorIndependentOfTheSound(steps: Float) {
        var dither = Dither(seed: 7)
        let count = 200_000
        var sum = 0.0
        var power = 0.0
        for _ in 0..<count {
            let error = Double(Interleaver.integer16(steps / 32768, noise: dither.next())) - Double(steps)
            sum += error
            power += error * error
        }
        #expect(abs(sum / Double(count)) < 0.005)
        #expect(abs(power / Double(count) - 0.25) < 0.005)
    }

    @Test func paceGuardTellsAFastRendererFromADeviceThatDoesNotPlay() {
        var null = PaceGuard(rate: 48_000, buffer: 512)
        var now: UInt64 = 5_000_000_000
        var taken = 0
        while null.took(256, at: now), taken < 1_000_000 {
            taken += 256
            now += 10_000
        }
        #expect((48_000...51_000).contains(taken))
        // Overloaded: it never waits, and yet runs in real time.
        var late = PaceGuard(rate: 48_000, buffer: 512)
        var passed = true
        for _ in 0..<10_000 {
            passed = late.took(256, at: now) && passed
            now += 5_400_000
        }
        #expect(passed)
    }
}
