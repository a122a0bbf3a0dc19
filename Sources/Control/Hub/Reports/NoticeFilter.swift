/// Lets each notice through once, so that a client that repeats a mistake a thousand times a second does not fill the log.
struct NoticeFilter {
    private var known: Set<String> = []
    private static let capacity = 256

    /// Whether a text is to be logged; the text is noted.
    mutating func isNew(_ text: String) -> Bool {
        if known.count >= Self.capacity { known.removeAll() }
        return known.insert(text).inserted
    }
}
