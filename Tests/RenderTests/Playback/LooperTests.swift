import Foundation
import Parameters
import RenderCore
import TestSupport
import Testing

/// The looper against formulas of what was played: its seam, length, overdubs, undo, speed and quantisation.
@Suite struct LooperTests {
    /// A sine of whole periods in 9600 frames, half of full scale.
    static func tone(_ hertz: Double, _ amplitude: Double = 0.5) -> (Int) -> Float {
        { Float(amplitude * sin(2 * .pi * hertz * Double($0) / 48_000)) }
    }

    /// Largest deviation in decibels of full scale.
    static func deviation(_ samples: ArraySlice<Float>, _ wanted: (Int) -> Double) -> Double {
        20 * log10(max(1e-12, samples.indices.map { abs(Double(samples[$0]) - wanted($0)) }.max() ?? .infinity))
    }

    static func largestStep(_ samples: [Float]) -> Float {
        var largest: Float = 0
        for n in 1..<samples.count { largest = max(largest, abs(samples[n] - samples[n - 1])) }
        return largest
    }

    static func peak(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    @Test(arguments: [[64], [1024], [1, 17, 480, 33, 7]])
    func aSteadyToneContinuesOverTheSeam(_ blocks: [Int]) {
        var bench = LooperBench(blocks: blocks, Self.tone(500))
        bench.run(to: 300)
        #expect(bench.state == .empty && bench.loop.allSatisfy { $0 == 0 })
        bench.record(9600)
        #expect(bench.state == .playing && bench.length == 9600)
        bench.run(to: bench.frame + 4 * 9600)
        // The tone was recorded from frame 300 on, so that after 9600 frames it is in step with the input.
        let heard = bench.loop[(300 + 2 * 9600)...]
        let error = Self.deviation(heard) { 0.5 * sin(2 * .pi * 500 * Double($0) / 48_000) }
        #expect(error < -60, "\(error) dB")
        print("seam:", error, "dB below full scale")
    }

    /// Elsewhere the seam is a fade: no step is larger than that of the tone itself and of a fade of 5 ms.
    @Test func anyOtherSoundFades() {
        var bench = LooperBench(Self.tone(333))
        bench.record(9697)
        bench.run(to: bench.frame + 3 * 9697)
        let steps = Self.largestStep(bench.loop)
        let allowed: Float = 0.5 * 2 * .pi * 333 / 48_000 + 1 / 240
        #expect(steps < allowed, "\(steps)")
        #expect(Self.peak(bench.loop.suffix(9697)) > 0.49)
    }

    /// At 120 beats per minute loops are whole multiples of 24,000 frames, begin at a beat or a bar, and stay there.
    @Test(arguments: [(1, 1), (1, 3), (2, 4), (2, 8)], [[64], [1000, 3, 511]])
    func loopsAreWholeBeats(_ goal: (quantise: Int, beats: Int), _ blocks: [Int]) {
        var bench = LooperBench(blocks: blocks, seconds: 10) { _ in 0.25 }
        bench.harness.set(LooperParameter.quantise, Float(goal.quantise))
        bench.run(to: 777)
        bench.harness.set(MetronomeParameter.run, 1)
        // The metronome begins at frame 777; the command comes some time after.
        bench.run(to: 9_000)
        bench.press(.record)
        bench.run(to: 9_064)
        #expect(bench.state == .waiting)
        let first = 777 + 24_000 * (goal.quantise == 1 ? 1 : 4)
        bench.run(to: first + (goal.beats - 1) * 24_000 + 5_000)
        #expect(bench.state == .recording)
        bench.press(.record)
        bench.run(to: first + goal.beats * 24_000 + 24_000)
        #expect(bench.state == .playing && bench.length == goal.beats * 24_000)
        // It is heard from the beat on, and not before.
        let end = first + goal.beats * 24_000
        #expect(bench.loop[..<end].allSatisfy { $0 == 0 } && bench.loop[end + 1] >= 0 && abs(bench.loop[end + 1000] - 0.25) < 1e-6)
    }

    @Test func quantisationNeedsTheMetronome() {
        var bench = LooperBench { _ in 0.25 }
        bench.harness.set(LooperParameter.quantise, 2)
        bench.run(to: 640)
        bench.record(5_000)
        #expect(bench.length == 5_000)
    }

    /// An overdub adds; undo restores the layer before to the bit, redo the overdub.
    @Test(arguments: [[64], [1024], [5, 300, 77]])
    func overdubsAddAndAreUndone(_ blocks: [Int]) {
        let length = 12_000
        // Silence where the loop alone is compared.
        var bench = LooperBench(blocks: blocks) { frame in
            switch frame / length {
            case 0, 1: Self.tone(400, 0.25)(frame)
            case 3, 4: Self.tone(1200, 0.25)(frame)
            default: 0
            }
        }
        bench.record(length)
        bench.run(to: 3 * length)
        let before = Array(bench.loop[(2 * length)..<(3 * length)])
        bench.press(.overdub)
        bench.run(to: 4 * length)
        #expect(bench.state == .overdubbing)
        bench.press(.overdub)
        bench.run(to: 6 * length)
        #expect(bench.state == .playing && bench.canUndo && !bench.canRedo)
        let after = Array(bench.loop[(5 * length)..<(6 * length)])
        let error = Self.deviation(after[480...]) { n in
            let time = Double(n) / 48_000
            return 0.25 * sin(2 * .pi * 400 * time) + 0.25 * sin(2 * .pi * 1200 * time)
        }
        #expect(error < -90, "\(error) dB")
        bench.press(.undo)
        bench.run(to: 8 * length)
        #expect(Array(bench.loop[(7 * length)...]) == before && !bench.canUndo && bench.canRedo)
        bench.press(.redo)
        bench.run(to: 10 * length)
        #expect(Array(bench.loop[(9 * length)...]) == after && bench.canUndo)
        // Neither makes a step.
        let steps = Self.largestStep(bench.loop)
        let allowed: Float = 0.25 * 2 * .pi * 1600 / 48_000 + 1 / 240
        #expect(steps < allowed, "\(steps)")
    }

    /// A second overdub keeps the first, which undo restores.
    @Test func undoRemovesTheLastOverdubOnly() {
        let length = 100_000
        var bench = LooperBench { 0.1 * Float(1 + $0 / (2 * length)) }
        bench.record(length)
        bench.run(to: 2 * length)
        for pass in 1...2 {
            bench.press(.overdub)
            bench.run(to: (2 * pass + 1) * length)
            bench.press(.overdub)
            bench.run(to: (2 * pass + 2) * length)
        }
        #expect(abs((bench.loop.last ?? 0) - 0.6) < 1e-5)
        bench.press(.undo)
        bench.run(to: 8 * length)
        #expect(abs((bench.loop.last ?? 0) - 0.3) < 1e-5)
    }

    /// Half speed halves the frequency, keeps the level, and adds nothing above -60 dB.
    @Test(arguments: [500.0, 5000, 15_000])
    func halfSpeedIsAnOctaveLower(_ hertz: Double) {
        let length = 9600
        var bench = LooperBench(Self.tone(hertz))
        bench.record(length)
        bench.harness.set(LooperParameter.half, 1)
        bench.run(to: bench.frame + 6 * length)
        let heard = Array(bench.loop.suffix(2 * length)).map(Double.init)
        // The whole loop is whole periods of every multiple of 2.5 Hz: a line of the Fourier sum for each.
        func level(_ frequency: Double) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for (n, sample) in heard.enumerated() {
                real += sample * cos(2 * .pi * frequency * Double(n) / 48_000)
                imaginary += sample * sin(2 * .pi * frequency * Double(n) / 48_000)
            }
            return 2 / Double(heard.count) * (real * real + imaginary * imaginary).squareRoot()
        }
        let wanted = level(hertz / 2)
        #expect(abs(20 * log10(wanted / 0.5)) < 0.1, "\(wanted)")
        let squares: [Double] = heard.map { $0 * $0 }
        let energy: Double = 2 * squares.reduce(0, +) / Double(heard.count)
        let surplus: Double = max(1e-12, energy - wanted * wanted)
        let rest: Double = 10 * log10(surplus / (wanted * wanted))
        let image = 20 * log10(level(24_000 - hertz / 2) / wanted)
        #expect(rest < -60 && image < -60, "all but the tone \(rest) dB, image \(image) dB")
        print("half speed of", hertz, "Hz: level", 20 * log10(wanted / 0.5), "dB, all else", rest, "dB, image", image, "dB")
    }

    @Test func thePitchAtHalfSpeedIsExact() {
        let length = 48_000
        var bench = LooperBench(Self.tone(440))
        bench.record(length)
        bench.harness.set(LooperParameter.half, 1)
        bench.run(to: bench.frame + 4 * length)
        // Upward crossings of zero, each by linear interpolation.
        let heard = bench.loop.suffix(90_000).map(Double.init)
        var crossings: [Double] = []
        for n in 1..<heard.count where heard[n - 1] < 0 && heard[n] >= 0 {
            let rise: Double = heard[n] - heard[n - 1]
            crossings.append(Double(n) - heard[n] / rise)
        }
        let span: Double = crossings.last! - crossings.first!
        let frequency: Double = Double(crossings.count - 1) * 48_000 / span
        #expect(abs(1200 * log2(frequency / 220)) < 1, "\(frequency) Hz")
    }

    /// The same commands at the same frames give the same loop in blocks of any size.
    @Test func blocksOfAnySizeGiveTheSame() {
        func output(_ blocks: [Int]) -> [Float] {
            var bench = LooperBench(blocks: blocks, Self.tone(321))
            bench.run(to: 100)
            bench.record(7_001)
            bench.press(.overdub)
            bench.run(to: 20_000)
            bench.press(.overdub)
            bench.run(to: 26_000)
            bench.press(.undo)
            bench.run(to: 30_000)
            bench.press(.play)
            bench.run(to: 32_000)
            bench.press(.play)
            bench.run(to: 50_000)
            return bench.loop
        }
        let one = output([64])
        #expect(one == output([1024]) && one == output([1]) && one == output([13, 700, 256]))
        #expect(one[30_300..<32_000].allSatisfy { $0 == 0 })
        #expect(Self.peak(one.suffix(5_000)) > 0.4)
    }

    @Test func aRecordingEndsWhenTheMemoryIsFull() {
        var bench = LooperBench(seconds: 1) { _ in 0.5 }
        bench.press(.record)
        bench.run(to: 100_000)
        #expect(bench.state == .playing && bench.length == 48_000)
        bench.press(.clear)
        bench.run(to: 110_000)
        #expect(bench.state == .empty && bench.length == 0 && bench.loop.suffix(1_000).allSatisfy { $0 == 0 })
    }

    @Test func levelStopAndCancel() {
        var bench = LooperBench { _ in 0.5 }
        bench.record(10_000)
        bench.harness.set(LooperParameter.level, -20)
        bench.run(to: 60_000)
        #expect(abs((bench.loop.last ?? 0) - 0.05) < 1e-4)
        bench.press(.play)
        bench.run(to: 70_000)
        #expect(bench.state == .stopped && bench.loop.last == 0)
        bench.press(.clear)
        bench.run(to: 70_100)
        bench.press(.record)
        bench.run(to: 80_000)
        #expect(bench.state == .recording)
        bench.press(.undo)
        bench.run(to: 90_000)
        #expect(bench.state == .empty && bench.loop.suffix(20_000).allSatisfy { $0 == 0 })
    }
}
