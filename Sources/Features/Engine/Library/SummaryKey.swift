/// Identifies one version of a file by its path, size and time of change.
struct SummaryKey: Hashable, Sendable, Codable {
    var path: String
    var size: Int64
    var changed: Int
}
