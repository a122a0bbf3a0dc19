/// The files that an import brought.
public struct ImportReport: Sendable, Equatable, Codable {
    /// A file that has another name than in the archive, because there was another file of that name.
    public struct Renamed: Sendable, Equatable, Codable {
        public let file: String
        public let name: String
    }

    /// Files that were added.
    public internal(set) var added = 0
    /// Files that were there already, with the same contents.
    public internal(set) var identical = 0
    public internal(set) var renamed: [Renamed] = []
    /// Sessions whose paths were adapted to the folders and names of this installation.
    public internal(set) var adapted: [String] = []
}

extension ImportReport {
    /// The report with at most this number of entries in each list.
    public func shortened(to most: Int) -> ImportReport {
        var report = self
        (report.renamed, report.adapted) = (Array(renamed.prefix(most)), Array(adapted.prefix(most)))
        return report
    }
}
