/// A place in a tap's ring at which frames begin that do not continue those before them.
public struct TakeMark: BitwiseCopyable, Sendable {
    /// Number of frames that were written into the ring before.
    public var index: Int64
    /// Sample of the engine at which the frames begin.
    public var sample: Int64

    @_noLocks @_noAllocation
    init(index: Int64, sample: Int64) {
        self.index = index
        self.sample = sample
    }
}
