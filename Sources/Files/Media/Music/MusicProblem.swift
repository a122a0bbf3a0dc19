/// Reason why music cannot be read.
struct MusicProblem: Error {
    let text: String
    /// Whether trying again would not help.
    let isLasting: Bool
}
