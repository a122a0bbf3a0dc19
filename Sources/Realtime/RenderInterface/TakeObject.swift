/// Position of a sound object from a given engine sample onwards.
public struct TakeObject: BitwiseCopyable, Sendable {
    /// Number of the object, counted from 0.
    public var object: Int32
    /// Sample of the engine at which the block begins.
    public var sample: Int64
    /// Azimuth and elevation in degrees, distance in metres, gain as a factor; 0 while the object is muted.
    public var place: SIMD4<Float>

    @_noLocks @_noAllocation
    public init(object: Int, sample: Int64, place: SIMD4<Float>) {
        self.object = Int32(truncatingIfNeeded: object)
        self.sample = sample
        self.place = place
    }
}
