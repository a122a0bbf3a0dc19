/// Times of blocks, as for a sound device with two periods: rendered during one, heard from the next on.
struct TimerSchedule: Equatable, Sendable {
    let grid: BlockGrid
    /// Number of the next block to render.
    private(set) var block: UInt64 = 0

    /// Number of late blocks up to which a renderer catches up; when it is later, blocks are skipped.
    let mostLate: UInt64

    init(_ grid: BlockGrid, mostLate: UInt64 = 8) {
        self.grid = grid
        self.mostLate = mostLate
    }

    /// Time at which rendering of the block begins.
    var begin: UInt64 { grid.begin(of: block) }

    /// Time by which the block is rendered, and from which it is heard.
    var output: UInt64 { grid.begin(of: block + 1) }

    /// Skips the blocks missed by a renderer that wakes this late.
    ///
    /// - Returns: number of skipped blocks.
    mutating func catchUp(at now: UInt64) -> Int {
        let current = grid.block(at: now)
        guard current >= block + mostLate else { return 0 }
        let leftOut = current + 1 - block
        block = current + 1
        return Int(leftOut)
    }

    /// Advances to the next block to render.
    ///
    /// - Parameter now: time at which rendering of the current block ended.
    /// - Returns: number of lost blocks: 1 when the current one is late.
    mutating func finish(at now: UInt64) -> Int {
        let late = now > output
        block += 1
        return late ? 1 : 0
    }
}
