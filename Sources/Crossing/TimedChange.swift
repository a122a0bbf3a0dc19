/// What is to change at a moment that lies ahead: a parameter, or where a head points.
public struct TimedChange: BitwiseCopyable, Sendable {
    /// When, CLOCK_MONOTONIC nanoseconds: with the first sample that leaves the converter from then on.
    public var time: UInt64
    /// A parameter's slot and its value in engine units; -1 for a pose.
    public var slot: Int32
    public var value: Float
    /// From 0.
    public var listener: Int32
    /// Unit quaternion w x y z.
    public var quaternion: SIMD4<Float>

    /// - Parameter value: in engine units.
    public init(time: UInt64, slot: Int, value: Float) {
        self.time = time
        self.slot = Int32(slot)
        self.value = value
        listener = 0
        quaternion = .init(1, 0, 0, 0)
    }

    /// - Parameters:
    ///   - listener: from 0.
    ///   - quaternion: unit, w x y z.
    public init(time: UInt64, listener: Int, quaternion: SIMD4<Float>) {
        self.time = time
        slot = -1
        value = 0
        self.listener = Int32(listener)
        self.quaternion = quaternion
    }
}
