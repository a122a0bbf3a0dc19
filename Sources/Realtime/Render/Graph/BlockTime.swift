/// Times of a block, CLOCK_MONOTONIC nanoseconds.
public struct BlockTime: BitwiseCopyable, Sendable {
    /// Time at which rendering of the block begins.
    public var begin: UInt64
    /// Time at which the block's first frame leaves the converter.
    public var output: UInt64

    public init(begin: UInt64, output: UInt64) {
        self.begin = begin
        self.output = output
    }
}
