internal import DSP
internal import Glibc

/// Instruments of the demonstration scene, all synthesised and reproducible.
enum Demo {
    /// Rate of all instruments in frames per second.
    static let rate = 48_000

    /// Returns the frequency in Hz of a MIDI note number; 69 is 440 Hz.
    static func frequency(_ note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }

    /// Level after `time` of a sound that decays by 60 dB in `seconds`.
    static func decay(_ time: Double, seconds: Double) -> Double { pow(0.001, time / seconds) }
}

extension Demo {
    /// Tempo, length and harmony, common to all instruments.
    struct Score {
        /// Whole bars of the loop.
        let bars: Int
        /// 90 quarters a minute, so that bars and sixteenths are whole frames.
        static let beat = 32_000
        static let bar = 4 * beat

        var frames: Int { bars * Self.bar }

        /// A minor seventh, F major seventh, C, G with its sixth: five strings each, low to high, MIDI notes.
        static let chords = [
            [45, 52, 57, 60, 67],
            [41, 48, 57, 60, 64],
            [48, 52, 55, 60, 64],
            [43, 50, 55, 59, 64],
        ]

        func chord(_ bar: Int) -> [Int] { Self.chords[bar % Self.chords.count] }

        /// - Parameter beat: from 0, in quarters.
        func frame(bar: Int, beat: Double) -> Int { bar * Self.bar + Int(clamping: beat * Double(Self.beat)) }
    }
}

extension Demo {
    /// A loop being filled: sound added beyond its end continues at its start.
    struct Loop {
        var samples: [Double]

        init(frames: Int) { samples = .init(repeating: 0, count: frames) }

        mutating func add(_ sound: [Double], at frame: Int, gain: Double = 1) {
            var place = frame % samples.count
            if place < 0 { place += samples.count }
            for sample in sound {
                samples[place] += gain * sample
                place += 1
                if place == samples.count { place = 0 }
            }
        }

        /// Runs `body` over the loop after a run-up over its last seconds, so that a filter has the same state at the start as
        /// at the end.
        mutating func filter(runUp seconds: Double = 0.5, _ body: (Double) -> Double) {
            let count = min(samples.count, Int(clamping: seconds * Double(Demo.rate)))
            for sample in samples.suffix(count) { _ = body(sample) }
            for place in samples.indices { samples[place] = body(samples[place]) }
        }

        /// Returns the loop with an RMS of -20 dBFS.
        /// - Parameter peak: optional limit for soft clipping of peaks, which slightly lowers the RMS.
        func levelled(peak: Double? = nil) -> Loop {
            let energy = samples.reduce(0) { $0 + $1 * $1 }
            var loop = self
            let gain = energy > 0 ? 0.1 / sqrt(energy / Double(samples.count)) : 0
            for place in samples.indices {
                let sample = gain * samples[place]
                loop.samples[place] = peak.map { $0 * tanh(sample / $0) } ?? sample
            }
            return loop
        }
    }
}

extension Demo {
    /// A two-pole resonator with gain 1 at 0 Hz: one formant (Klatt, JASA 67(3), 1980).
    struct Resonator {
        private var a = 1.0
        private var b = 0.0
        private var c = 0.0
        private var last = 0.0
        private var beforeLast = 0.0

        /// - Parameters:
        ///   - frequency: Hz.
        ///   - bandwidth: Hz, at half power.
        init(_ frequency: Double, bandwidth: Double) { tune(frequency, bandwidth: bandwidth) }

        mutating func tune(_ frequency: Double, bandwidth: Double) {
            let radius = exp(-.pi * bandwidth / Double(Demo.rate))
            c = -radius * radius
            b = 2 * radius * cos(2 * .pi * frequency / Double(Demo.rate))
            a = 1 - b - c
        }

        mutating func process(_ input: Double) -> Double {
            let output = a * input + b * last + c * beforeLast
            beforeLast = last
            last = output
            return output
        }

        /// A band-pass with gain of about 1 at its frequency and zeros at 0 Hz and at half the rate.
        mutating func band(_ input: Double) -> Double {
            let older = beforeLast
            beforeLast = last
            last = input + b * last + c * older
            return (1 + c) / 2 * (last - older)
        }
    }
}

extension SeededRandom {
    /// Returns a number between `low` and `high`, drawn as a sample of ``white()``.
    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * (white() + 1) / 2 }
}
