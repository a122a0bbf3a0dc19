/// Samples of one or more files that ``SampleLimit`` has changed.
public struct LimitedSamples: Sendable, Equatable {
    /// Number of samples, of all files.
    public private(set) var count = 0
    /// A warning for each file that has such samples.
    public private(set) var warnings: [String] = []

    init(path: String, count: Int) {
        self.count = count
        if let warning = SampleLimit.warning(path, count) { warnings = [warning] }
    }

    init(_ files: [SoundFile]) {
        for file in files.map(\.limitedSamples) {
            count += file.count
            warnings += file.warnings
        }
    }
}
