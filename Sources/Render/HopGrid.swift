/// Where frames of the spectral methods begin to be heard: on a grid of its own, whatever the size of the blocks.
struct HopGrid: BitwiseCopyable {
    let hop: Int
    private var untilNext = 0
    /// Of the present block: where its first frame begins, and how many do.
    private(set) var first = 0
    private(set) var count = 0

    init(hop: Int) { self.hop = hop }

    /// The most frames that begin in a block of `period`.
    static func most(period: Int, hop: Int) -> Int { (period + hop - 1) / hop }

    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        first = untilNext
        count = first < frames ? (frames &- first &+ hop &- 1) / hop : 0
        untilNext = first &+ count &* hop &- frames
    }

    /// Samples into the block.
    @_noLocks @_noAllocation
    func place(_ index: Int) -> Int { first &+ index &* hop }
}
