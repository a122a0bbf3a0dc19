/// Counts of messages that could not be applied.
struct MessageCounters {
    /// Messages with an unknown address.
    var unknown = 0
    /// Packets that could not be parsed.
    var malformed = 0
}
