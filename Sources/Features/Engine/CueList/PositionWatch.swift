/// Finds the positions of the recording that have passed while it plays.
struct PositionWatch {
    /// A part of the recording that was played: seconds, the first excluded and the second included.
    typealias Part = (after: Double, through: Double)

    /// Seconds, less than a frame, by which a part begins before the place that a jump or a loop leads to. The smallest number would not
    /// do: it is zero on a thread that renders sound.
    private static let margin = 1e-6

    private var last: (feed: Int64, position: Double)?

    /// Checks the position.
    ///
    /// - Parameters:
    ///   - feed: number of the feed, another one after every jump.
    ///   - start: position in seconds at which the feed began.
    ///   - duration: seconds of the recording, which is played again from its start when it loops.
    /// - Returns: the parts played since the last call.
    mutating func look(feed: Int64, start: Double, position: Double, duration: Double) -> [Part] {
        let first = last.flatMap { $0.feed == feed ? $0.position : nil }
        last = (feed, position)
        // A jump to the very position of a cue passes it.
        let after = first ?? start - Self.margin
        return after <= position ? [(after, position)] : [(after, duration), (-Self.margin, position)]
    }
}
