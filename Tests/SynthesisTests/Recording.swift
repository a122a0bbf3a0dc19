import Binaural
import DSP
import Glibc
import Media
import Synthesis
import TestSupport

/// A recording in memory, one array per microphone, with measurements.
struct Recording {
    var channels: [[Float]]

    init(_ synthesis: SceneSynthesis) throws {
        let count = synthesis.array.count
        var channels = [[Float]](repeating: [], count: count)
        try synthesis.render { block, frames throws(MediaError) in
            for frame in 0..<frames {
                for channel in 0..<count { channels[channel].append(block[frame * count + channel]) }
            }
        }
        self.channels = channels
    }

    /// Fourier sum of a channel at one frequency.
    /// - Parameter origin: the sample that counts as time zero.
    func spectrum(_ channel: Int, at frequency: Double, rate: Double, origin: Int = 0) -> Complex {
        let samples = channels[channel]
        let step = Complex(magnitude: 1, phase: -2 * .pi * frequency / rate)
        var turn = Complex(magnitude: 1, phase: 2 * .pi * frequency / rate * Double(origin))
        var (re, im) = (0.0, 0.0)
        for sample in samples {
            re += turn.re * Double(sample)
            im += turn.im * Double(sample)
            turn = turn * step
        }
        return Complex(re, im)
    }

    /// Largest difference from another recording in dB, relative to 1.
    func difference(_ other: Recording) -> Double {
        var worst: Float = 0
        for (mine, its) in zip(channels, other.channels) {
            for (a, b) in zip(mine, its) { worst = max(worst, abs(a - b)) }
        }
        return 20 * log10(Double(worst))
    }
}

extension MonoSignal {
    /// A one after `delay` zeros, in a signal of `frames` frames.
    static func impulse(rate: Int = 48_000, frames: Int = 1, delay: Int = 0) -> MonoSignal {
        var samples = [Float](repeating: 0, count: frames)
        samples[delay] = 1
        return MonoSignal(name: "impulse", rate: rate, samples: samples)
    }

    /// White noise of RMS 0.29, from a fixed seed.
    static func noise(rate: Int = 48_000, frames: Int, seed: UInt32 = 1) -> MonoSignal {
        var random = SeededRandom(fixed: UInt64(seed))
        let samples = (0..<frames).map { _ in Float(0.5 * random.white()) }
        return MonoSignal(name: "noise", rate: rate, samples: samples)
    }
}
