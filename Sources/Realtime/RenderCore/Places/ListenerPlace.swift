internal import CRealtime
internal import DSP

/// The place of one listener in the world, metres, which follows its target as the distances of objects do.
struct ListenerPlace: BitwiseCopyable {
    /// Largest coordinate, metres.
    private static var farthest: Float { @_noLocks @_noAllocation get { 200 } }

    private(set) var wanted = SIMD3<Float>.zero
    private var x = Follower(0)
    private var y = Follower(0)
    private var z = Follower(0)
    private var isKnown = false

    @_noLocks @_noAllocation
    init() {}

    /// The present place.
    var now: SIMD3<Float> { @_noLocks @_noAllocation get { SIMD3(Float(x.value), Float(y.value), Float(z.value)) } }

    /// Whether it is and stays the origin.
    var isOrigin: Bool { @_noLocks @_noAllocation get { wanted == .zero && x.value == 0 && y.value == 0 && z.value == 0 } }

    /// Advances by one block; the first place is taken at once.
    /// - Parameter place: ignored if it has NaN or is too far away.
    @_noLocks @_noAllocation
    mutating func advance(to place: SIMD3<Float>, seconds: Float) {
        if (place * place).sum() <= Self.farthest * Self.farthest { wanted = place }
        guard isKnown else {
            (x, y, z) = (Follower(Double(wanted[0])), Follower(Double(wanted[1])), Follower(Double(wanted[2])))
            return isKnown = true
        }
        guard !isOrigin else { return }
        let (seconds, time, fastest) = (Double(seconds), Propagation.time, Propagation.fastest)
        x.advance(to: Double(wanted[0]), seconds: seconds, time: time, fastest: fastest)
        y.advance(to: Double(wanted[1]), seconds: seconds, time: time, fastest: fastest)
        z.advance(to: Double(wanted[2]), seconds: seconds, time: time, fastest: fastest)
    }
}
