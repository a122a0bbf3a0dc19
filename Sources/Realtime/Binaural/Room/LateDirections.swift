internal import CRealtime

/// Directions from which sound from all around is heard, spread evenly over the sphere.
public enum LateDirections {
    /// Unit vector of a direction in the world: front, left, up. The directions are a spiral of equal areas.
    @_noLocks @_noAllocation
    public static func direction(_ index: Int, of count: Int) -> SIMD3<Float> {
        let up = 1 - (2 * Float(index) + 1) / Float(count)
        let flat = rt_sqrt(max(0, 1 - up * up))
        let turn = 2.39996323 * Float(index)
        return SIMD3(flat * rt_cos(turn), flat * rt_sin(turn), up)
    }
}
