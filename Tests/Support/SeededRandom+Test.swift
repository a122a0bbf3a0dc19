public import DSP
internal import Foundation

/// Seeds of tests, which are printed with the test's name. They are the same in every run, unless the environment variable `SEED` is
/// `random`, which draws new ones, or a number, which is the seed of every test.
extension SeededRandom {
    /// Prints and returns the seed of a test, by default one that depends on its name only.
    public static func seed(_ test: String = #function) -> UInt64 {
        let seed: UInt64
        switch ProcessInfo.processInfo.environment["SEED"] {
        case nil: seed = hash(test)
        case "random": seed = UInt64.random(in: 0...UInt64.max)
        case let text?:
            guard let number = UInt64(text) else { fatalError("SEED is \(text), neither a number nor random") }
            seed = number
        }
        print("\(test): SEED=\(seed)")
        return seed
    }

    /// FNV-1a: the standard library's hashes differ from run to run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
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
