internal import CRealtime
internal import DSP

/// View of the table and the filters of a ``SphereEncoding``, which must outlive it.
public struct SphereEncodingView: BitwiseCopyable, Sendable {
    /// Number of filters.
    public static var terms: Int { @_noLocks @_noAllocation get { 6 } }
    /// Samples before the arrival in the filters.
    public static var lead: Int { @_noLocks @_noAllocation get { 4 } }

    /// Number of taps: 0.8 ms on a sphere of 8.75 cm or less, after which the responses are over.
    static func length(radius: Double, rate: Double) -> Int {
        lead + (Int(clamping: max(1, radius / 0.0875) * rate * 0.83e-3) + 3) / 4 * 4
    }

    /// Number of taps of the longest filters: those on the largest sphere.
    public static func longest(rate: Float) -> Int { length(radius: Double(SphereShadow.largest), rate: Double(rate)) }

    // SAFETY: the owner outlives the block in which this view is used. Gains of the filters and the delay in samples, for every step.
    private nonisolated(unsafe) let places: UnsafePointer<SIMD8<Float>>
    // SAFETY: as above. The filters, one after the other, each with its last tap first.
    private nonisolated(unsafe) let taps: UnsafePointer<Float>
    /// Number of taps of a filter.
    public let length: Int
    private let steps: Int

    init(places: UnsafeMutablePointer<SIMD8<Float>>, taps: UnsafeMutablePointer<Float>, length: Int, steps: Int) {
        (self.places, self.taps) = (UnsafePointer(places), UnsafePointer(taps))
        (self.length, self.steps) = (length, steps)
    }

    /// Whether both views are of the same encoding.
    @_noLocks @_noAllocation
    public func isSame(as other: SphereEncodingView) -> Bool { places == other.places }

    /// The taps of a filter, the last one first.
    @_noLocks @_noAllocation
    public func filter(_ term: Int) -> UnsafePointer<Float> { taps + term &* length }

    /// Gains of the filters, and then the delay in samples relative to the place that the wave meets first.
    ///
    /// - Parameter cosines: cosines of the angles between two places on the sphere and the direction of arrival.
    @_noLocks @_noAllocation @inline(__always)
    public func places(cosines: SIMD2<Float>) -> (SIMD8<Float>, SIMD8<Float>) {
        let cosines = SIMD2(min(1, max(-1, cosines[0])), min(1, max(-1, cosines[1])))
        let squares = 1 - cosines * cosines
        let angles = ArcTangent.angles(y: SIMD2(rt_sqrt(squares[0]), rt_sqrt(squares[1])), x: cosines) * (Float(steps) / .pi)
        return (place(angles[0]), place(angles[1]))
    }

    @_noLocks @_noAllocation @inline(__always)
    private func place(_ angle: Float) -> SIMD8<Float> {
        let step = min(steps &- 1, Int(rt_whole(angle)))
        let before = places[step]
        return before + (places[step &+ 1] - before) * (angle - Float(step))
    }
}
