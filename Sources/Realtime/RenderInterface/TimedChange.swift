/// A change scheduled for a time: of a parameter, or of a head's orientation.
public struct TimedChange: BitwiseCopyable, Sendable {
    /// Due time, CLOCK_MONOTONIC nanoseconds: the change applies from the first sample that leaves the converter then or later.
    public var time: UInt64
    /// Index of the parameter; -1 for a pose.
    public var index: Int32
    /// New value of the parameter, in engine units.
    public var value: Float
    /// From 0.
    public var listener: Int32
    /// Unit quaternion w x y z.
    public var quaternion: SIMD4<Float>

    /// - Parameter value: in engine units.
    public init(time: UInt64, index: Int, value: Float) {
        self.time = time
        self.index = Int32(index)
        self.value = value
        listener = 0
        quaternion = .init(1, 0, 0, 0)
    }

    /// - Parameters:
    ///   - listener: from 0.
    ///   - quaternion: unit, w x y z.
    public init(time: UInt64, listener: Int, quaternion: SIMD4<Float>) {
        self.time = time
        index = -1
        value = 0
        self.listener = Int32(listener)
        self.quaternion = quaternion
    }
}
