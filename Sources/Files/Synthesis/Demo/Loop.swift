internal import Glibc

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
