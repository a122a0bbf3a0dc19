/// Reason why music cannot be read.
struct MusicProblem: Error {
    let text: String
    /// Whether another attempt would fail as well.
    let isLasting: Bool
}
