public import DSP
internal import Foundation

/// Seeds of tests: each is printed with the test's name, and the environment variable `SEED` repeats it.
extension SeededRandom {
    /// Prints and returns the seed of a test: `SEED`, or a new one in each run.
    public static func seed(_ test: String = #function) -> UInt64 {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): SEED=\(seed)")
        return seed
    }

    /// - Parameter test: name printed with the seed.
    public init(_ test: String = #function) { self.init(seed: Self.seed(test)) }

    /// A generator whose numbers are the same in every run, because a bound of the test holds for them: the seed is printed too.
    public init(fixed seed: UInt64, _ test: String = #function) {
        print("\(test): fixed seed \(seed)")
        self.init(seed: seed)
    }

    public mutating func within(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &self) }

    /// A whole number in a range, for parameters that are choices.
    public mutating func whole(_ range: Range<Int>) -> Int { .random(in: range, using: &self) }
}
