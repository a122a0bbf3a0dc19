import ArgumentParser

/// The seed of everything random in an evaluation.
struct SeedOption: ParsableArguments {
    @Option(help: "Random seed, 0 or greater. The same seed gives the same figures.")
    var seed: UInt64 = 1
}
