internal import CRealtime
internal import DSP

/// View of an ``HRTFTable`` for the audio thread.
public struct HRTFTableView: BitwiseCopyable, Sendable {
    // SAFETY: these three point into the table, which outlives this view and is not written any more.
    private nonisolated(unsafe) let spectra: UnsafePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let delays: UnsafePointer<SIMD2<Float>>
    // SAFETY: as above.
    private nonisolated(unsafe) let rings: UnsafePointer<SIMD2<Int32>>
    private let count: Int
    private let plane: Int

    init(
        spectra: UnsafePointer<Float>, delays: UnsafePointer<SIMD2<Float>>, rings: UnsafePointer<SIMD2<Int32>>, count: Int, plane: Int
    ) {
        (self.spectra, self.delays, self.rings, self.count, self.plane) = (spectra, delays, rings, count, plane)
    }

    /// Floats of one ear's filter.
    public var length: Int { @_noLocks @_noAllocation get { 2 &* HRTFFrame.objectParts &* plane } }

    /// Place of a direction in the table.
    /// - Parameter direction: vector of any length: front, left, up.
    @_noLocks @_noAllocation
    public func place(_ direction: SIMD3<Float>) -> DirectionPlace {
        let flat = rt_sqrt(direction[0] * direction[0] + direction[1] * direction[1])
        let angles = ArcTangent.angles(y: SIMD2(direction[1], direction[2]), x: SIMD2(direction[0], flat))
        let along = (angles[1] * (1 / .pi) + 0.5) * Float(count &- 1)
        let ring = max(0, min(Int(rt_whole(along)), count &- 2))
        let up = max(0, min(1, along - Float(ring)))
        let turn = angles[0] * (0.5 / .pi)
        let (a0, a1, a) = around(ring, turn)
        let (b0, b1, b) = around(ring &+ 1, turn)
        return DirectionPlace(
            corners: SIMD4(a0, a1, b0, b1), shares: SIMD4((1 - a) * (1 - up), a * (1 - up), (1 - b) * up, b * up))
    }

    /// The two directions of a ring on either side of an azimuth, and the share of the second.
    /// - Parameter turn: azimuth in turns, -0.5 to 0.5.
    @_noLocks @_noAllocation @inline(__always)
    private func around(_ ring: Int, _ turn: Float) -> (Int32, Int32, Float) {
        let (first, count) = (rings[ring][0], rings[ring][1])
        let along = (turn < 0 ? turn + 1 : turn) * Float(count)
        let whole = max(0, min(Int32(truncatingIfNeeded: Int(rt_whole(along))), count &- 1))
        let share = max(0, min(1, along - Float(whole)))
        return (first &+ whole, first &+ (whole &+ 1 < count ? whole &+ 1 : 0), share)
    }

    /// Delays of the left and the right ear, samples.
    @_noLocks @_noAllocation
    public func delays(_ place: DirectionPlace) -> SIMD2<Float> {
        let (near, far) = (place.corners.lowHalf, place.corners.highHalf)
        let nearest: SIMD2<Float> = delays[Int(near[0])] * place.shares[0] + delays[Int(near[1])] * place.shares[1]
        let across: SIMD2<Float> = nearest + delays[Int(far[0])] * place.shares[2]
        return across + delays[Int(far[1])] * place.shares[3]
    }

    /// Writes an ear's filter, ``length`` floats: of every partition the real parts, then the imaginary ones.
    @_noLocks @_noAllocation
    public func filter(_ place: DirectionPlace, ear: Int, into filter: UnsafeMutablePointer<Float>) {
        let length = length
        @inline(__always) func row(_ corner: Int) -> UnsafePointer<Float> {
            spectra + (2 &* Int(place.corners[corner]) &+ ear) &* length
        }
        let (a, b, c, d) = (row(0), row(1), row(2), row(3))
        let (p, q, r, s) = (
            rt_all16(place.shares[0]), rt_all16(place.shares[1]), rt_all16(place.shares[2]), rt_all16(place.shares[3])
        )
        var i = 0
        while i < length {
            let first = rt_fma16(b.lanes(i), q, a.lanes(i) * p)
            filter.setLanes(i, rt_fma16(d.lanes(i), s, rt_fma16(c.lanes(i), r, first)))
            i = i &+ laneCount
        }
    }
}
