/// The two microphones between which an ear lies, and where between them.
public struct Bracket: BitwiseCopyable, Sendable {
    /// Channel to the right of the ear (or exactly at it).
    public var lower: Int
    /// Channel to the left of the ear.
    public var upper: Int
    /// 0 at `lower`, below 1 at `upper`.
    public var fraction: Float
    /// One over the distance from `lower` to `upper`, per degree.
    public var closeness: Float
}

/// A ``MicrophoneArray`` laid out so that the audio thread finds an ear's neighbours at once.
public struct RingLookup: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Sorted azimuths, degrees, then their channels.
    private nonisolated(unsafe) let rising: UnsafeMutablePointer<Float>
    // SAFETY: as above. One over the distance to the next, per degree.
    private nonisolated(unsafe) let closeness: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let channels: UnsafeMutablePointer<Int32>
    /// The array that is laid out here.
    public private(set) var array: MicrophoneArray
    public private(set) var count: Int

    public init(_ array: MicrophoneArray) {
        rising = .allocate(capacity: 64)
        closeness = .allocate(capacity: 64)
        channels = .allocate(capacity: 64)
        rising.initialize(repeating: 0, count: 64)
        closeness.initialize(repeating: 0, count: 64)
        channels.initialize(repeating: 0, count: 64)
        self.array = array
        count = array.count
        load(array)
    }

    deinit {
        rising.deallocate()
        closeness.deallocate()
        channels.deallocate()
    }

    /// Lays out another array in the same memory.
    @_noLocks @_noAllocation
    public mutating func load(_ array: MicrophoneArray) {
        self.array = array
        count = array.count
        for place in 0..<count {
            let channel = Int(array.order[place])
            channels[place] = Int32(truncatingIfNeeded: channel)
            rising[place] = array.azimuths[channel]
        }
        for place in 0..<count {
            let isLast = place == count &- 1
            closeness[place] = 1 / (rising[isLast ? 0 : place &+ 1] - rising[place] + (isLast ? 360 : 0))
        }
    }

    /// Where `azimuth` (degrees in (-180, 180]) lies in the ring.
    @_noLocks @_noAllocation
    public func bracket(_ azimuth: Float) -> Bracket {
        // On an even ring the first guess is right, or one off by rounding.
        let past = azimuth - rising[0]
        var place = past < 0 ? count &- 1 : min(Int(past * Float(count) * (1 / 360)), count &- 1)
        while place < count &- 1, rising[place &+ 1] <= azimuth { place = place &+ 1 }
        while past >= 0, rising[place] > azimuth { place = place &- 1 }
        let next = place == count &- 1 ? 0 : place &+ 1
        let along = azimuth - rising[place] + (past < 0 ? 360 : 0)
        return Bracket(
            lower: Int(channels[place]), upper: Int(channels[next]), fraction: min(along * closeness[place], 1),
            closeness: closeness[place])
    }
}
