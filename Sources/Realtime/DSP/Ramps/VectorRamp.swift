/// Several numbers that change linearly over one block.
///
/// Generic, so that it is specialised, and checked for realtime safety, where it is used.
@frozen
public struct VectorRamp<Vector: SIMD & BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable where Vector.Scalar == Float {
    /// Values just before the first frame.
    public var from: Vector
    /// Changes from frame to frame.
    public var step: Vector

    /// - Parameters:
    ///   - to: values at the last frame.
    ///   - frames: frames in the block.
    @inlinable @inline(__always)
    public init(from: Vector, to: Vector, frames: Int) {
        self.from = from
        step = (to - from) / Float(frames)
    }

    /// Values at frame `frame`, counted from 0.
    @inlinable @inline(__always)
    public func value(at frame: Int) -> Vector { from + step * Float(frame &+ 1) }

    /// Returns one of the ramps.
    @inlinable @inline(__always)
    public subscript(_ index: Int) -> Ramp {
        get { Ramp(from: from[index], step: step[index]) }
    }
}
