internal import CRealtime

/// Products of spectra whose real and imaginary parts are apart.
public enum SpectrumProduct {
    /// Adds the products of two spectra with the two partitions of a filter.
    ///
    /// - Parameters:
    ///   - newest, before: spectra: real parts, then from `plane` on imaginary ones.
    ///   - filter: two spectra of the same form, one after the other.
    ///   - plane: floats of the real parts, whole ``Lanes``.
    @_noLocks @_noAllocation
    public static func add(
        _ newest: UnsafePointer<Float>, _ before: UnsafePointer<Float>, _ filter: UnsafePointer<Float>, plane: Int,
        onto sum: UnsafeMutablePointer<Float>
    ) {
        var bin = 0
        while bin < plane {
            let (a, b) = (newest.lanes(bin), newest.lanes(plane &+ bin))
            let (c, d) = (before.lanes(bin), before.lanes(plane &+ bin))
            let (e, f) = (filter.lanes(bin), filter.lanes(plane &+ bin))
            let (g, h) = (filter.lanes(2 &* plane &+ bin), filter.lanes(3 &* plane &+ bin))
            let less = rt_fma16(d, h, b * f)
            sum.setLanes(bin, rt_fma16(c, g, rt_fma16(a, e, sum.lanes(bin))) - less)
            let first = rt_fma16(a, f, rt_fma16(b, e, sum.lanes(plane &+ bin)))
            sum.setLanes(plane &+ bin, rt_fma16(c, h, rt_fma16(d, g, first)))
            bin = bin &+ laneCount
        }
    }

    /// Separates real and imaginary parts.
    ///
    /// - Parameters:
    ///   - interleaved: real, imaginary, real…; readable up to twice `plane`.
    ///   - plane: as above.
    @_noLocks @_noAllocation
    public static func separate(_ interleaved: UnsafePointer<Float>, _ planar: UnsafeMutablePointer<Float>, plane: Int) {
        var bin = 0
        while bin < plane {
            let (a, b) = (interleaved.lanes(2 &* bin), interleaved.lanes(2 &* bin &+ laneCount))
            planar.setLanes(bin, Lanes(lowHalf: a.evenHalf, highHalf: b.evenHalf))
            planar.setLanes(plane &+ bin, Lanes(lowHalf: a.oddHalf, highHalf: b.oddHalf))
            bin = bin &+ laneCount
        }
    }

    /// The reverse of ``separate(_:_:plane:)``.
    @_noLocks @_noAllocation
    public static func join(_ planar: UnsafePointer<Float>, _ interleaved: UnsafeMutablePointer<Float>, plane: Int) {
        var bin = 0
        while bin < plane {
            let (re, im) = (planar.lanes(bin), planar.lanes(plane &+ bin))
            var (a, b) = (Lanes.zero, Lanes.zero)
            (a.evenHalf, a.oddHalf) = (re.lowHalf, im.lowHalf)
            (b.evenHalf, b.oddHalf) = (re.highHalf, im.highHalf)
            interleaved.setLanes(2 &* bin, a)
            interleaved.setLanes(2 &* bin &+ laneCount, b)
            bin = bin &+ laneCount
        }
    }
}
