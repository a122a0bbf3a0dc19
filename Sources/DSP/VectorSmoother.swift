/// Several numbers that follow their targets as ``Smoother`` does, each by itself.
///
/// Generic, and so inlined and checked for realtime safety where it is used.
@frozen
public struct VectorSmoother<Vector: SIMD & BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable where Vector.Scalar == Float {
    /// Values at the end of the last block.
    public var values: Vector
    @usableFromInline var isFresh: Bool

    /// Begins at its first targets.
    @inlinable @inline(__always)
    public init() {
        values = Vector(repeating: 0)
        isFresh = true
    }

    /// Moves on by one block and returns the lines from the old values to the new ones.
    ///
    /// A target is taken exactly once its distance is below 1e-4.
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

    /// Forgets the values: the next targets are taken as they are.
    @inlinable @inline(__always)
    public mutating func reset() { isFresh = true }
}
