import Budgets
import DSP
import Foundation

/// Kernels of delays, filters and transforms.
extension KernelBenchmark {
    /// Kernels of the propagation paths from objects to heads.
    func measureDelays(_ kernels: inout KernelTimer) {
        var output = [Float](repeating: 0, count: 128)
        let taps = SincTaps()
        var line = MovingDelay(longest: 4800, period: frames)
        kernels.time("moving delay") {
            line.write(input, frames: frames)
            line.read(&output, frames: frames, from: 480.25, to: 481.5, taps: taps)
        }
        var late = LaneRing(longest: 4800)
        kernels.time("line of the late field") {
            late.write(input, frames: frames)
            for at in stride(from: 0, to: frames, by: laneCount) {
                output.withUnsafeMutableBufferPointer { $0.baseAddress!.setLanes(at, late.read(480 - at)) }
            }
        }
        let ramped = RampedDelay()
        kernels.time("ramped delay") {
            input.withUnsafeBufferPointer { _ = ramped.read($0.baseAddress! + 256, &output, frames: frames, from: 100.25, to: 100.75) }
        }
        let fraction = FractionalTap()
        let (weights, next) = (fraction.weights(0.25), fraction.weights(0.75))
        kernels.time("delayed row") {
            input.withUnsafeBufferPointer {
                DelayedRow.process($0.baseAddress! + 16, from: weights, to: next, frames: frames, output: &output)
            }
        }
        var rows = [Float](repeating: 0, count: 6 * 80)
        kernels.time("sum onto 6 rows") {
            SpreadSum.add(input, from: weights, to: -weights, frames: frames, onto: &rows, stride: 80)
        }
        let design = OctaveDesign(rate: 48_000)
        let filters = (design.filter(SIMD8(0, -0.5, -1, -2, -4, -8, -16, -24)), design.filter(SIMD8(0, -1, -2, -3, -5, -9, -17, -25)))
        var state = OctaveFilterState()
        var samples = input
        kernels.time("filter of 8 octaves, moving") {
            // The filter only takes away, so new sound comes in.
            for i in 0..<frames { samples[i] = input[i] }
            state.process(&samples, frames: frames, from: filters.0, to: filters.1)
        }
        let row = LowPassDesign.taps(edge: 800, rate: 48_000)
        let long = [Float](repeating: 0.25, count: frames + 16 * row.count)
        kernels.time("strided filter of \(row.count) taps") {
            StridedFilter.process(long, stride: 4, taps: row, count: row.count, frames: frames, output: &output)
        }
        let table = FractionalTap()
        var sum = SIMD8<Float>.zero
        kernels.time("weights of a fraction, each frame") { for i in 0..<frames { sum += table.weights(Float(i) / 64) } }
        var dither = Dither()
        kernels.time("dither") { for i in 0..<frames { output[i] = dither.next() } }
        var angles = SIMD2<Float>.zero
        kernels.time("two angles, each frame") {
            for i in 0..<frames { angles += ArcTangent.angles(y: SIMD2(input[i], input[i + 1]), x: SIMD2(input[i + 2], input[i + 3])) }
        }
        keep(sum.sum() + angles.sum())
    }

    /// Kernels of the spectral methods, for a frame of 256 samples in blocks of 64.
    func measureSpectra(_ kernels: inout KernelTimer) {
        let length = 256
        let frame = FrameTransform(length: length)
        var output = [Float](repeating: 0, count: length)
        kernels.time("Fourier transform of 256 and back, with windows") {
            frame.analyse(input)
            frame.overlap(onto: &output)
        }
        let count = roundedToLanes(length + 2)
        var (magnitude, phase, spectrum) = (
            [Float](repeating: 0, count: count), [Float](repeating: 0, count: count), [Float](repeating: 0, count: count)
        )
        kernels.time("magnitudes and phases of 256") {
            Polar.split(input, count: count, magnitude: &magnitude, phase: &phase)
        }
        let weights: [Float] = [0.5, 0.5]
        magnitude.withUnsafeBufferPointer { magnitude in
            phase.withUnsafeBufferPointer { phase in
                let (magnitudes, phases) = ([magnitude.baseAddress!, magnitude.baseAddress!], [phase.baseAddress!, phase.baseAddress!])
                kernels.time("spectrum from 2 magnitudes and 2 phases of 256") {
                    Polar.join(
                        magnitudes: magnitudes, weights: weights, magnitudeCount: 2, phases: phases, shares: weights, phaseCount: 2,
                        count: count, spectrum: &spectrum)
                }
            }
        }
    }

    /// Pitch detection in a window of a tone, which does not run in blocks: the time for each frame of the window.
    func measurePitch() -> [BenchmarkResult] {
        var finder = PitchFinder(rate: 48_000)
        let tone = (0..<finder.window).map { Float(sin(2 * Double.pi * 110 * Double($0) / 48_000)) }
        var kernels = KernelTimer(frames: finder.window, rounds: 2)
        var sum: Float = 0
        kernels.time("pitch of a tone") { sum += finder.find(tone) ?? .nan }
        keep(sum)
        return kernels.results
    }

    /// Keeps the compiler from removing the computation of a number.
    @inline(never) private func keep(_ number: Float) { precondition(!number.isNaN) }
}
