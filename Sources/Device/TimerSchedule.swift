/// Which block is due when, as for a card with two periods: rendered during one, heard from the next on.
struct TimerSchedule: Equatable, Sendable {
    let grid: BlockGrid
    /// The block to be rendered next.
    private(set) var block: UInt64 = 0

    /// Blocks that a late renderer may catch up with; when it is later than that, they are left out.
    static let patience: UInt64 = 8

    init(_ grid: BlockGrid) { self.grid = grid }

    /// When rendering of the block begins.
    var begin: UInt64 { grid.begin(of: block) }

    /// When the block has to be there, and is heard.
    var output: UInt64 { grid.begin(of: block + 1) }

    /// Leaves out what a renderer that wakes this late has missed.
    ///
    /// - Returns: how many blocks are left out; with any, the next begins later.
    mutating func catchUp(at now: UInt64) -> Int {
        let current = grid.block(at: now)
        guard current >= block + Self.patience else { return 0 }
        let leftOut = current + 1 - block
        block = current + 1
        return Int(leftOut)
    }

    /// Goes on to the block to be rendered next.
    ///
    /// - Parameter now: when rendering of the present block ended.
    /// - Returns: how many blocks were lost: the present one if it is late.
    mutating func finish(at now: UInt64) -> Int {
        let late = now > output
        block += 1
        return late ? 1 : 0
    }
}
