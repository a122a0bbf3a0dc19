/// Memory for the ears of listeners that a device plays: row 2 n is the left ear of listener n, counted from 0, and row 2 n + 1 the right
/// one.
public struct EarRows {
    private let base: UnsafeMutablePointer<Float>
    /// Samples from a row to the next.
    private let stride: Int
    /// Number of listeners.
    public let listeners: Int

    @_noLocks @_noAllocation
    public init(_ base: UnsafeMutablePointer<Float>, stride: Int, listeners: Int) {
        self.base = base
        self.stride = stride
        self.listeners = listeners
    }

    /// The ears of one listener, each in its own memory.
    @_noLocks @_noAllocation
    public init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        self.init(left, stride: right - left, listeners: 1)
    }

    @_noLocks @_noAllocation
    public func row(_ row: Int) -> UnsafeMutablePointer<Float> { base + row &* stride }

    /// The same rows from a later frame on.
    @_noLocks @_noAllocation
    func from(_ frame: Int) -> EarRows { EarRows(base + frame, stride: stride, listeners: listeners) }
}
