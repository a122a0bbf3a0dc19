/// A sound file as it was when it was read: another size or time is another file.
struct SummaryKey: Hashable, Sendable, Codable {
    var path: String
    var size: Int64
    var changed: Int
}
