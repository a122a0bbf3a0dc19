import Testing

@testable import Device

@Suite struct DeinterleaverTests {
    /// Deinterleaving restores interleaved samples to within a step of the format.
    @Test(arguments: SampleFormat.allCases)
    func readsWhatIsWritten(_ format: SampleFormat) {
        let ears = EarBuffers(frames: 5)
        let samples: [Float] = [0, 0.5, -0.5, 0.999, -1]
        for (i, sample) in samples.enumerated() { (ears.left[i], ears.right[i]) = (sample, -sample / 2) }
        var out = Interleaver(format, frames: 5)
        out.fill(ears.row(0), stride: 5, frames: 5)
        let input = Deinterleaver(format, channels: 2, frames: 5)
        input.bytes.copyMemory(from: out.bytes, byteCount: 5 * input.frameSize)
        let sides = EarBuffers(frames: 5)
        input.empty(into: sides, frames: 5)
        let step: Float = format == .integer16 ? 1e-4 : 1e-6
        for (i, sample) in samples.enumerated() {
            let (left, right) = (sides.left[i], sides.right[i])
            #expect(abs(left - sample) <= step && abs(right + sample / 2) <= step)
        }
    }

    @Test func aMonoInputFeedsBothSides() {
        let input = Deinterleaver(.float, channels: 1, frames: 3)
        for i in 0..<3 { input.bytes.assumingMemoryBound(to: Float.self)[i] = Float(i) }
        let sides = EarBuffers(frames: 3)
        input.empty(into: sides, frames: 3)
        for i in 0..<3 {
            let (left, right) = (sides.left[i], sides.right[i])
            #expect(left == Float(i) && right == Float(i))
        }
    }

    /// Floats that no converter sends are limited and counted; others stay as they are.
    @Test func samplesOutOfRangeAreCounted() {
        let input = Deinterleaver(.float, channels: 2, frames: 4)
        let samples: [Float] = [.nan, 0.5, .infinity, -1000, 64, -64, 65, .signalingNaN]
        for (i, sample) in samples.enumerated() { input.bytes.assumingMemoryBound(to: Float.self)[i] = sample }
        let sides = EarBuffers(frames: 4)
        #expect(input.empty(into: sides, frames: 4) == 5)
        let heard = (0..<4).flatMap { [sides.left[$0], sides.right[$0]] }
        #expect(heard == [0, 0.5, 0, -64, 64, -64, 64, 0])
    }
}
