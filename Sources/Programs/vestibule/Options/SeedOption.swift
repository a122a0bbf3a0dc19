import ArgumentParser

/// The seed of everything random in an evaluation.
struct SeedOption: ParsableArguments {
    @Option(
        name: .customLong("seed"), help: "Random seed, 0 or greater. The same seed gives the same figures (default: 1).")
    var given: UInt64?

    var seed: UInt64 { given ?? 1 }
    var isGiven: Bool { given != nil }
}
