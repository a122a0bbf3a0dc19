/// Detects more buffered sound between recording and playback than necessary: the clocks of two devices drift, and
/// a sound server may start one of them late.
struct DuplexSurplus {
    /// Blocks over which the minimum is taken; a momentary surplus does no harm.
    private static let window = 250

    private var blocks = 0
    private var least = Int.max
    /// Number of blocks still to be dropped.
    private var owed = 0

    /// - Parameters:
    ///   - frames: frames waiting to be read or played beyond the necessary ones.
    ///   - period: frames of a block.
    /// - Returns: true when the current block has to be dropped.
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
