import DSP
import Foundation
import TestSupport
import Testing

/// Every kernel compared with a slow, direct computation.
@Suite struct KernelTests {
    @Test(arguments: [(4, 16), (16, 64), (17, 33), (64, 100)])
    func deinterleave(_ channels: Int, _ frames: Int) {
        var random = SeededRandom()
        let input = (0..<(frames + 8) * (channels + 8)).map { _ in Float(random.white()) }
        let rowStride = frames + 24
        var rows = [Float](repeating: 9, count: (channels + 8) * rowStride)
        Deinterleave.process(
            input, stride: channels, channels: channels, frames: frames, rows: &rows, rowStride: rowStride)
        for channel in 0..<channels {
            for frame in 0..<frames { #expect(rows[channel * rowStride + frame] == input[frame * channels + channel]) }
        }
    }

    @Test(arguments: [16, 64, 100, 256])
    func rampedMix(_ frames: Int) {
        var random = SeededRandom()
        let count = 5
        let rows = (0..<count).map { _ in (0..<frames + 64).map { _ in Float(random.white()) } }
        let from = (0..<count).map { _ in Float(random.white()) }
        let to = (0..<count).map { _ in Float(random.white()) }
        var output = [Float](repeating: 0, count: frames + 64)
        let pointers = rows.map { row in
            let copy = UnsafeMutablePointer<Float>.allocate(capacity: row.count)
            copy.initialize(from: row, count: row.count)
            return copy
        }
        defer { pointers.forEach { $0.deallocate() } }
        RampedMix.process(
            rows: pointers.map { UnsafePointer($0) }, from: from, to: to, count: count, frames: frames, output: &output)
        for frame in 0..<frames {
            let along = Double(frame + 1) / Double(frames)
            let expected = (0..<count).reduce(0.0) {
                $0 + Double(rows[$1][frame]) * (Double(from[$1]) + along * Double(to[$1] - from[$1]))
            }
            #expect(abs(Double(output[frame]) - expected) < 2e-6)
        }
    }

    @Test(arguments: [(16, false), (64, false), (96, true)])
    func spreadSum(_ frames: Int, isSteady: Bool) {
        var random = SeededRandom()
        let stride = frames + 24
        func weights() -> SIMD8<Float> { .init((0..<8).map { _ in Float(random.white()) }) }
        let row = (0..<frames).map { _ in Float(random.white()) }
        let before = (0..<6 * stride).map { _ in Float(random.white()) }
        let from = weights()
        let to = isSteady ? from : weights()
        var sums = before
        SpreadSum.add(row, from: from, to: to, frames: frames, onto: &sums, stride: stride)
        for k in 0..<6 {
            for frame in 0..<stride {
                let at = k * stride + frame
                let along = Double(frame + 1) / Double(frames)
                let weight = Double(from[k]) + along * Double(to[k] - from[k])
                let expected = Double(before[at]) + (frame < frames ? weight * Double(row[frame]) : 0)
                #expect(abs(Double(sums[at]) - expected) < 2e-6)
            }
        }
    }

    /// Weights of eight samples that change over the block.
    @Test(arguments: [16, 64, 96])
    func delayedRow(_ frames: Int) {
        var random = SeededRandom()
        let input = (0..<frames + 16).map { _ in Float(random.white()) }
        func weights() -> SIMD8<Float> { .init((0..<8).map { _ in Float(random.white()) }) }
        let (from, to) = (weights(), weights())
        var output = [Float](repeating: 0, count: frames)
        input.withUnsafeBufferPointer { DelayedRow.process($0.baseAddress! + 16, from: from, to: to, frames: frames, output: &output) }
        for frame in 0..<frames {
            let along = Double(frame + 1) / Double(frames)
            let expected = (0..<8).reduce(0.0) {
                $0 + Double(input[16 + frame - $1]) * (Double(from[$1]) + along * Double(to[$1] - from[$1]))
            }
            #expect(abs(Double(output[frame]) - expected) < 4e-6)
        }
    }

    @Test func levels() {
        var random = SeededRandom()
        let (channels, frames) = (6, 50)
        let input = (0..<frames * channels + 16).map { _ in Float(random.white()) }
        var peak = [Float](repeating: 0, count: 16)
        var energy = peak
        LevelMeter.gather(input, channels: channels, frames: frames, peak: &peak, energy: &energy)
        for channel in 0..<channels {
            let own = (0..<frames).map { input[$0 * channels + channel] }
            #expect(peak[channel] == own.map(abs).max())
            #expect(abs(energy[channel] - own.reduce(0) { $0 + $1 * $1 }) < 1e-4)
        }
        var row = (0..<48).map { _ in Float(random.white()) } + [Float](repeating: 0, count: 16)
        row[7] = -3
        var other = (0..<48).map { _ in Float(random.white()) } + [Float](repeating: 0, count: 16)
        other[40] = 2
        let measured = LevelMeter.measure(row, other, frames: 48)
        #expect(measured.peak == .init(3, 2))
        #expect(abs(measured.energy[0] - row.reduce(0) { $0 + $1 * $1 }) < 1e-4)
        #expect(abs(measured.energy[1] - other.reduce(0) { $0 + $1 * $1 }) < 1e-4)
    }

    @Test func arcTangent() {
        var random = SeededRandom()
        for _ in 0..<10_000 {
            let y = SIMD2(2 * Float(random.white()), 2 * Float(random.white()))
            let x = SIMD2(2 * Float(random.white()), 2 * Float(random.white()))
            let angle = ArcTangent.angles(y: y, x: x)
            for i in 0..<2 { #expect(abs(Double(angle[i]) - atan2(Double(y[i]), Double(x[i]))) < 5e-7) }
        }
        let axes = ArcTangent.angles(y: .init(0, 1), x: .init(-1, 0))
        #expect(abs(axes[0] - .pi) < 1e-6 && abs(axes[1] - .pi / 2) < 1e-6)
        #expect(ArcTangent.angles(y: .zero, x: .zero) == .zero)
    }

    @Test func fades() {
        var samples = [Float](repeating: 1, count: 2 * 10)
        InterleavedFade.apply(&samples, channels: 2, frames: 10, from: 0, to: 1)
        for frame in 0..<10 { #expect(abs(samples[2 * frame + 1] - Float(frame + 1) / 10) < 1e-6) }
        var mix = [Float](repeating: 1, count: 10)
        InterleavedFade.cross(
            &mix, with: [Float](repeating: 3, count: 10), channels: 1, frames: 10, from: 0, to: 0.5)
        #expect(abs(mix[9] - 2) < 1e-6 && abs(mix[4] - 1.5) < 1e-6)
    }

    @Test(arguments: [(16, 1), (64, 2), (100, 3), (48, 8)])
    func stridedFilter(_ frames: Int, _ stride: Int) {
        var random = SeededRandom()
        let taps = (0..<7).map { _ in Float(random.white()) }
        let input = (0..<frames + 7 * stride + 64).map { _ in Float(random.white()) }
        var output = [Float](repeating: 0, count: frames + 64)
        StridedFilter.process(input, stride: stride, taps: taps, count: 7, frames: frames, output: &output)
        for frame in 0..<frames {
            let sum = (0..<7).reduce(0.0) { $0 + Double(taps[$1]) * Double(input[frame + $1 * stride]) }
            #expect(abs(Double(output[frame]) - sum) < 1e-5)
        }
    }
}
