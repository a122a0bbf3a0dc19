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

/// A ``MicrophoneArray`` laid out so that the audio thread finds an ear's neighbours, and the weights of the whole
/// ring, at once. Microphones that are muted are not in the ring.
///
/// Made and dropped where there is time.
public struct RingLookup: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Sorted azimuths, degrees, then their channels.
    private nonisolated(unsafe) let rising: UnsafeMutablePointer<Float>
    // SAFETY: as above. One over the distance to the next, per degree.
    private nonisolated(unsafe) let closeness: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let channels: UnsafeMutablePointer<Int32>
    private let fit: RingFit
    /// The array that is laid out here.
    public let array: MicrophoneArray
    /// What is done to its signals.
    public let calibration: Calibration
    /// Microphones in the ring.
    public let count: Int

    /// - Parameter calibration: when it mutes all microphones, all stay in the ring and are silent.
    public init(_ array: MicrophoneArray, calibration: Calibration = Calibration()) {
        let order = (0..<array.count).map { Int(array.order[$0]) }
        let alive = order.filter { !calibration.isMuted($0) }
        let ring = alive.isEmpty ? order : alive
        let azimuths = ring.map { array.azimuths[$0] }
        self.array = array
        self.calibration = calibration
        count = ring.count
        rising = .allocate(capacity: count)
        closeness = .allocate(capacity: count)
        channels = .allocate(capacity: count)
        for place in 0..<count {
            let next = place == count - 1 ? azimuths[0] + 360 : azimuths[place + 1]
            (rising + place).initialize(to: azimuths[place])
            (closeness + place).initialize(to: 1 / (next - azimuths[place]))
            (channels + place).initialize(to: Int32(ring[place]))
        }
        fit = RingFit(azimuths: azimuths.map(Double.init), places: ring, channels: array.count)
    }

    deinit {
        rising.deallocate()
        closeness.deallocate()
        channels.deallocate()
    }

    /// The crossover's frequency by its own rule, hertz.
    @_noLocks @_noAllocation
    public func frequency(_ crossover: Crossover) -> Float {
        crossover.frequency(count: count, radius: array.radius)
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

    /// Adds the weights of the whole ring for an ear at `azimuth`, degrees, in one band.
    @_noLocks @_noAllocation
    public func add(azimuth: Float, to taps: inout Taps, _ band: Taps.Band) {
        fit.add(azimuth: azimuth, to: taps.weights + Taps.row(band, 0))
    }

    /// `channel`, or the microphone nearest to it when it is muted or the array has no such channel.
    @_noLocks @_noAllocation
    public func standIn(_ channel: Int) -> Int {
        if channel < array.count, !calibration.isMuted(channel) { return channel }
        let bracket = bracket(channel < array.count ? array.azimuths[channel] : 0)
        return bracket.fraction < 0.5 ? bracket.lower : bracket.upper
    }
}
