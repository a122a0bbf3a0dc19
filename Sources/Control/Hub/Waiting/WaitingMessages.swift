/// Messages that wait for work on another thread, and the later messages of the same clients, which wait for those.
struct WaitingMessages {
    /// One client's message that waits for its work, or for the next turn of the control thread, and what follows it.
    final class Line {
        /// The message's parameter; nil when the followers alone wait for the next turn.
        let index: Int?
        let address: String
        let message: Message
        let subscriber: Subscriber?
        let work: any PendingWork
        /// CLOCK_MONOTONIC nanoseconds; nil until the first check after the wait began.
        var deadline: UInt64?
        var followers: [Follower] = []

        init(_ index: Int?, _ address: String, _ message: Message, _ subscriber: Subscriber?, _ work: any PendingWork) {
            (self.index, self.address, self.message, self.subscriber, self.work) = (index, address, message, subscriber, work)
        }
    }

    /// Something to do after the message, in order.
    enum Follower {
        case message(Message)
        /// A message for some of the parameters that its address matches.
        case set(ArraySlice<Target>, Message)
        case call(() -> Void)
    }

    /// A parameter that an address has matched. It may be removed, and its index given to another one, before it is set.
    typealias Target = (index: Int, address: String)

    /// Maximum number of followers of a message; further messages are refused.
    static let mostFollowers = 4096

    private(set) var lines: [Edit.Origin: Line] = [:]

    var isEmpty: Bool { lines.isEmpty }

    subscript(origin: Edit.Origin?) -> Line? {
        get { origin.flatMap { lines[$0] } }
        set { if let origin { lines[origin] = newValue } }
    }
}
