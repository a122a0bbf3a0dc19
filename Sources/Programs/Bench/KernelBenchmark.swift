import Binaural
package import Budgets
import CRealtime
import DSP

/// Benchmark of each kernel alone, on 16 channels and blocks of 64, in nanoseconds per frame.
package struct KernelBenchmark {
    let frames = 64
    let channels = 16
    /// Interleaved noise, with eight frames more than a block.
    let input: [Float]

    package init() {
        var random = SeededRandom(seed: 7)
        input = (0..<(64 + 8) * 16).map { _ in 0.5 * Float(random.white()) }
    }

    package func measure() -> [BenchmarkResult] {
        var kernels = KernelTimer(frames: frames)
        measureScene(&kernels)
        measureMixes(&kernels)
        measureDelays(&kernels)
        measureSpectra(&kernels)
        return kernels.results + measurePitch()
    }

    /// Kernels that prepare the microphones for all listeners.
    private func measureScene(_ kernels: inout KernelTimer) {
        var low = [Float](repeating: 0, count: 72 * 16)
        var high = low
        var rows = [Float](repeating: 0, count: 24 * 160)
        var splitter = BandSplitter()
        let coefficients = BandSplitter.Coefficients(crossover: 2496, rate: 48_000)
        kernels.time("band splitter, 16 channels") {
            splitter.process(input, channels: 16, frames: frames, with: coefficients, low: &low, high: &high)
        }
        kernels.time("deinterleave, 16 channels") {
            Deinterleave.process(input, stride: 16, channels: 16, frames: frames, rows: &rows, rowStride: 144)
        }
        kernels.time("levels, 16 channels") {
            LevelMeter.gather(input, channels: 16, frames: frames, peak: &low, energy: &high)
        }
        var samples = input
        var gains = ChannelTrim(period: frames)
        for channel in 0..<channels { gains.set(channel, gain: channel % 2 == 0 ? 0.9 : 1.1, delay: 0) }
        gains.settle()
        kernels.time("gains of a calibration, 16 channels") {
            gains.process(&samples, channels: 16, frames: frames, gainShare: 1, seconds: 0.00133)
        }
        var delays = ChannelTrim(period: frames)
        for channel in 0..<channels { delays.set(channel, gain: 1, delay: 3.5 + Float(channel)) }
        delays.settle()
        samples = input
        kernels.time("delays of a calibration, 16 channels") {
            delays.process(&samples, channels: 16, frames: frames, gainShare: 1, seconds: 0.00133)
        }
        samples = input
        kernels.time("interleaved fade, 16 channels") {
            InterleavedFade.apply(&samples, channels: 16, frames: frames, from: 1, to: 1)
        }
        kernels.time("interleaved crossfade, 16 channels") {
            InterleavedFade.cross(&samples, with: input, channels: 16, frames: frames, from: 0.25, to: 0.75)
        }
        // The results are used, so that the compiler does not remove their computation.
        var plausible = 0
        kernels.time("check of the range, 16 channels") {
            samples[0] = 0.5 - samples[0]
            plausible += SoundRange.judge(samples, count: 16 * frames).isPlausible ? 1 : 0
        }
        precondition(plausible > 0)
        let energies = [Float](repeating: 1, count: 32)
        var frameGuard = FrameGuard(rate: 48_000)
        samples = input
        kernels.time("guard of the range, 16 channels") {
            _ = frameGuard.admit(&samples, channels: 16, frames: frames, energies: energies)
        }
    }

    /// Kernels of each listener's ears.
    private func measureMixes(_ kernels: inout KernelTimer) {
        var output = [Float](repeating: 0, count: 72 * 16)
        let weights: [Float] = [0.3, 0.7, 1]
        input.withUnsafeBufferPointer { memory in
            let rows = (0..<3).map { memory.baseAddress! + $0 * 144 }
            kernels.time("ramped mix of 3 rows") {
                RampedMix.process(rows: rows, from: weights, to: weights, count: 3, frames: frames, output: &output)
            }
            var energy = SIMD2<Float>.zero
            kernels.time("levels, 2 ears") { energy += LevelMeter.measure(rows[0], rows[1], frames: frames).energy }
            precondition(energy.x > 0)
            kernels.time("ramped sum") { RampedSum.add(rows[0], from: 0.25, to: -0.25, frames: frames, onto: &output) }
        }
        var (left, right) = (input, input)
        let ramp = Ramp(from: 1, to: 1.000_001, frames: frames)
        kernels.time("ramp, stereo") { ramp.scale(&left, &right, frames: frames) }
        var rangeGuard = RangeGuard(rate: 48_000)
        (left, right) = (input, input)
        kernels.time("guard of the range, stereo") { _ = rangeGuard.admit(&left, &right, frames: frames) }
    }
}

/// Times kernels one after another, each for a block of sound.
struct KernelTimer {
    /// Frames of the block.
    let frames: Int
    /// Calls in a run.
    let rounds: Int
    private(set) var results: [BenchmarkResult] = []

    init(frames: Int, rounds: Int = 200) { (self.frames, self.rounds) = (frames, rounds) }

    /// Keeps the minimum of many runs, since other load only makes a run slower.
    mutating func time(_ name: String, _ body: () -> Void) {
        var least = UInt64.max
        realtime_flush_denormals()
        for _ in 0..<50 {
            let begin = rt_now()
            for _ in 0..<rounds { body() }
            least = min(least, rt_now() - begin)
        }
        results.append(.init(name: "kernel: \(name)", value: Double(least) / Double(rounds * frames), unit: "ns/frame"))
    }
}
