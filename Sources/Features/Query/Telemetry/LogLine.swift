/// One line of the log.
struct LogLine: Equatable, Encodable {
    /// Rises by one with every line since the start, from 1.
    let number: Int
    /// Seconds since 1970.
    let time: Double
    let text: String
}
