internal import DSP

extension SeededRandom {
    /// Returns a number between `low` and `high`, drawn as a sample of ``white()``.
    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * (white() + 1) / 2 }
}
