import DSP
import Effects
import Foundation
import TestSupport

/// Stereo sound in plain arrays.
struct Sound {
    var left: [Float]
    var right: [Float]
    var frames: Int { left.count }

    init(left: [Float], right: [Float]? = nil) {
        self.left = left
        self.right = right ?? left
    }

    static func silence(_ frames: Int) -> Sound { Sound(left: [Float](repeating: 0, count: frames)) }

    static func impulse(_ frames: Int, left: Float = 1, right: Float = 1) -> Sound {
        var sound = silence(frames)
        sound.left[0] = left
        sound.right[0] = right
        return sound
    }

    static func tone(_ frequency: Double, _ frames: Int, rate: Double = 48_000, level: Double = 1) -> Sound {
        Sound(left: (0..<frames).map { Float(level * sin(2 * .pi * frequency * Double($0) / rate)) })
    }

    static func noise(_ frames: Int, level: Float = 1, seed: UInt64 = 1) -> Sound {
        var random = SeededRandom(fixed: seed)
        return Sound(
            left: (0..<frames).map { _ in level * Float(random.white()) },
            right: (0..<frames).map { _ in level * Float(random.white()) })
    }
}

extension Effect where Self: ~Copyable {
    /// Processes `sound` in blocks; `settings` is called for each block with its first frame.
    mutating func run(_ sound: Sound, block: Int = 64, _ settings: (Int) -> Settings) -> Sound {
        var result = sound
        var left = [Float](repeating: 0, count: block + 16)
        var right = left
        var at = 0
        while at < sound.frames {
            let count = min(block, sound.frames - at)
            for i in 0..<count {
                left[i] = sound.left[at + i]
                right[i] = sound.right[at + i]
            }
            process(&left, &right, frames: count, settings: settings(at))
            for i in 0..<count {
                result.left[at + i] = left[i]
                result.right[at + i] = right[i]
            }
            at += count
        }
        return result
    }

    mutating func run(_ sound: Sound, block: Int = 64, _ settings: Settings) -> Sound {
        run(sound, block: block) { _ in settings }
    }
}

func decibels(_ magnitude: Double) -> Double { 20 * log10(max(magnitude, 1e-15)) }

/// Amplitude of a tone at one frequency, from samples under a Hann window.
func amplitude(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Double = 48_000) -> Double {
    component(samples, frequency, rate: rate).magnitude
}

func component(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Double = 48_000) -> Complex {
    let count = Double(samples.count)
    var sum = Complex(0)
    var weight = 0.0
    for (n, sample) in samples.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * (Double(n) + 0.5) / count)
        sum = sum + Complex(magnitude: window * Double(sample), phase: -2 * .pi * frequency * Double(n) / rate)
        weight += window
    }
    return (2 / weight) * sum
}

/// Magnitude of an impulse response at one frequency.
func response(_ samples: [Float], _ frequency: Double, rate: Double = 48_000) -> Complex {
    let step = Complex(magnitude: 1, phase: -2 * .pi * frequency / rate)
    var turn = Complex(1)
    var sum = Complex(0)
    for sample in samples {
        sum = sum + Double(sample) * turn
        turn = turn * step
    }
    return sum
}
