extension Demo {
    /// Random numbers that are the same every time (splitmix64).
    struct Noise: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }

        /// White, -1 to 1.
        mutating func white() -> Double { Double(Int64(bitPattern: next()) >> 11) / 4_503_599_627_370_496 }

        mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * (white() + 1) / 2 }
    }
}
