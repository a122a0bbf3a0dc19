/// Orientation of a listener's head from a sample of the engine on.
public struct TakeHead: BitwiseCopyable, Sendable {
    /// Number of the listener, counted from 0.
    public var listener: Int32
    /// The head; its position is the sample of the engine at which the block begins.
    public var step: HeadStep

    @_noLocks @_noAllocation
    public init(listener: Int, step: HeadStep) {
        self.listener = Int32(truncatingIfNeeded: listener)
        self.step = step
    }
}
