internal import Foundation

/// Random numbers from a seed that is printed: the environment variable `SEED`, or a new one in each run (splitmix64).
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter test: name printed with the seed.
    public init(_ test: String) {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): SEED=\(seed)")
        self.init(seed: seed)
    }

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    public mutating func within(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &self) }

    /// A whole number in a range, for parameters that are choices.
    public mutating func whole(_ range: Range<Int>) -> Int { .random(in: range, using: &self) }
}
