/// Finds out that more sound lies between recording and playing than has to: clocks of two devices drift, and a sound
/// server may begin late with one of them.
struct DuplexSurplus {
    /// Blocks over which the least is looked for; what lies there for a moment does no harm.
    private static let window = 250

    private var blocks = 0
    private var least = Int.max
    /// Blocks that are still to be left out.
    private var owed = 0

    /// - Parameters:
    ///   - frames: that wait to be read or played, beyond what has to.
    ///   - period: frames of a block.
    /// - Returns: true when the present block has to be left out.
    mutating func shedsBlock(_ frames: Int, period: Int) -> Bool {
        if owed > 0 {
            owed -= 1
            return true
        }
        least = min(least, frames)
        blocks += 1
        guard blocks == Self.window else { return false }
        owed = max(0, least / period)
        (blocks, least) = (0, .max)
        return false
    }
}
