/// The two microphones between which an ear lies, and where between them.
public struct Bracket: BitwiseCopyable, Sendable {
    /// Channel to the right of the ear (or exactly at it).
    public var lower: Int
    /// Channel to the left of the ear.
    public var upper: Int
    /// 0 at `lower`, below 1 at `upper`.
    public var fraction: Float
    /// From `lower` to `upper`, degrees.
    public var width: Float
}

extension MicrophoneArray {
    /// Where `azimuth` (degrees in (-180, 180]) lies in the ring.
    @_noLocks @_noAllocation
    public func bracket(_ azimuth: Float) -> Bracket {
        var first = 0
        var past = count
        // The first place whose azimuth lies above the ear's.
        while first < past {
            let middle = (first &+ past) / 2
            if azimuths[Int(order[middle])] <= azimuth { first = middle &+ 1 } else { past = middle }
        }
        let lower = Int(order[first == 0 ? count &- 1 : first &- 1])
        let upper = Int(order[first == count ? 0 : first])
        var width = azimuths[upper] - azimuths[lower]
        if width <= 0 { width += 360 }
        var along = azimuth - azimuths[lower]
        if along < 0 { along += 360 }
        return Bracket(lower: lower, upper: upper, fraction: min(along / width, 1), width: width)
    }
}
