/// Determines which parts of the recording have been played.
struct PositionWatch {
    /// A part of the recording that was played: seconds, the first excluded and the second included.
    typealias Part = (after: Double, through: Double)

    /// Seconds, less than a frame, by which a part begins before the target of a jump or a loop, so that the part includes the target. The
    /// smallest positive number would not do: threads that render sound treat it as zero.
    private static let margin = 1e-6

    private var last: (feed: Int64, position: Double)?

    /// Checks the position.
    ///
    /// - Parameters:
    ///   - feed: number of the feed, which changes with every jump.
    ///   - start: position in seconds at which the feed began.
    ///   - duration: seconds of the recording, which is played again from its start when it loops.
    /// - Returns: the parts played since the last call.
    mutating func look(feed: Int64, start: Double, position: Double, duration: Double) -> [Part] {
        let first = last.flatMap { $0.feed == feed ? $0.position : nil }
        last = (feed, position)
        // A jump exactly to the position of a cue counts as passing it.
        let after = first ?? start - Self.margin
        return after <= position ? [(after, position)] : [(after, duration), (-Self.margin, position)]
    }
}
