/// Places at which frames of the spectral methods begin to be heard: every `hop` samples, independent of the block size.
struct HopGrid: BitwiseCopyable {
    let hop: Int
    private var untilNext = 0
    /// Sample of the current block at which its first frame begins.
    private(set) var first = 0
    /// Number of frames that begin in the current block.
    private(set) var count = 0

    init(hop: Int) { self.hop = hop }

    /// Maximum number of frames that begin in a block of `period`.
    static func most(period: Int, hop: Int) -> Int { (period + hop - 1) / hop }

    @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        first = untilNext
        count = first < frames ? (frames &- first &+ hop &- 1) / hop : 0
        untilNext = first &+ count &* hop &- frames
    }

    /// Sample of the block at which a frame begins.
    @_noLocks @_noAllocation
    func place(_ index: Int) -> Int { first &+ index &* hop }
}
