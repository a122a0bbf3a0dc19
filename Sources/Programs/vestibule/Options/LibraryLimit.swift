import ArgumentParser

/// The size of the media library.
struct LibraryLimit: ParsableArguments {
    @Option(
        name: .customLong("library-limit"),
        help: "Size limit of the media library in gigabytes; no files are accepted beyond it (default: the disk's size).")
    var gigabytes: Double?

    /// Bytes; nil for no limit.
    var limit: Int64? { gigabytes.map { Int64(clamping: $0 * 1e9) } }

    func validate() throws {
        guard gigabytes.map({ (0.001...1e6).contains($0) }) ?? true else {
            throw ValidationError("--library-limit \(gigabytes ?? 0): give 0.001 to 1000000 gigabytes.")
        }
    }
}
