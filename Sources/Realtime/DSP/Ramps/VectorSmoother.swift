/// Several numbers that follow their targets independently, each like a ``Smoother``.
///
/// Generic, so that it is specialised, and checked for realtime safety, where it is used.
@frozen
public struct VectorSmoother<Vector: SIMD & BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable where Vector.Scalar == Float {
    /// Values at the end of the last block.
    public var values: Vector
    @usableFromInline var isFresh: Bool

    /// Starts at the first targets.
    @inlinable @inline(__always)
    public init() {
        values = Vector(repeating: 0)
        isFresh = true
    }

    /// Advances by one block and returns the ramps from the old values to the new ones.
    ///
    /// A target is adopted exactly once its distance is below 1e-4.
    ///
    /// - Parameters:
    ///   - share: the result of ``Smoother/share(frames:rate:seconds:)``.
    ///   - frames: frames in the block.
    @inlinable @inline(__always)
    public mutating func ramp(to targets: Vector, share: Float, frames: Int) -> VectorRamp<Vector> {
        if isFresh { values = targets }
        isFresh = false
        let from = values
        for i in 0..<Vector.scalarCount {
            let rest = targets[i] - values[i]
            values[i] = abs(rest) < 1e-4 ? targets[i] : values[i] + rest * share
        }
        return VectorRamp(from: from, to: values, frames: frames)
    }

    /// Clears the values: the next targets are adopted at once.
    @inlinable @inline(__always)
    public mutating func reset() { isFresh = true }
}
