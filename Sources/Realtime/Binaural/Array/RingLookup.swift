internal import CRealtime

/// Lookup of an ear's neighbours and of the weights of the whole ring in a ``MicrophoneArray``, for the audio thread.
/// Muted microphones are not in the ring.
/// Creating and freeing one allocates.
public struct RingLookup: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Degrees from the first microphone, rising; infinity follows the last one.
    private nonisolated(unsafe) let rising: UnsafeMutablePointer<Float>
    // SAFETY: as above. One over the distance to the next, per degree.
    private nonisolated(unsafe) let closeness: UnsafeMutablePointer<Float>
    // SAFETY: as above. Channels in the same order; the first is repeated after the last.
    private nonisolated(unsafe) let order: UnsafeMutablePointer<Int32>
    /// Degrees in [-180, 180].
    private let first: Float
    /// Microphones per degree, on average.
    private let density: Float
    // SAFETY: as above. Stored separately, so that borrowing this value does not copy them.
    private nonisolated(unsafe) let facts: UnsafeMutablePointer<Facts>
    private let fit: RingFit
    // SAFETY: as above. Stored separately for the same reason.
    private nonisolated(unsafe) let elevation: UnsafeMutablePointer<ElevationFilters>
    /// Number of channels of the array, muted ones included.
    public let channels: Int
    /// Number of microphones in the ring.
    public let count: Int

    private struct Facts: BitwiseCopyable {
        var array: MicrophoneArray
        var calibration: Calibration
        var rate: Float
    }

    /// - Parameters:
    ///   - calibration: muted microphones are left out; when all are muted, all stay in the ring and are silent.
    ///   - rate: frames per second.
    public init(_ array: MicrophoneArray, calibration: Calibration = Calibration(), rate: Float = 48_000) {
        let order = (0..<array.count).map { Int(array.order[$0]) }
        let alive = order.filter { !calibration.isMuted($0) }
        let ring = alive.isEmpty ? order : alive
        let azimuths = ring.map { array.azimuths[$0] }
        facts = .allocate(capacity: 1)
        facts.initialize(to: Facts(array: array, calibration: calibration, rate: rate))
        channels = array.count
        count = ring.count
        first = azimuths[0]
        density = Float(count) / 360
        rising = .allocate(capacity: count + 1)
        closeness = .allocate(capacity: count)
        self.order = .allocate(capacity: count + 1)
        for place in 0..<count {
            let next = place == count - 1 ? azimuths[0] + 360 : azimuths[place + 1]
            (rising + place).initialize(to: azimuths[place] - azimuths[0])
            (closeness + place).initialize(to: 1 / (next - azimuths[place]))
            (self.order + place).initialize(to: Int32(ring[place]))
        }
        (rising + count).initialize(to: .infinity)
        (self.order + count).initialize(to: Int32(ring[0]))
        fit = RingFit(azimuths: azimuths.map(Double.init), places: ring, channels: array.count)
        elevation = .allocate(capacity: 1)
        elevation.initialize(to: ElevationFilters(radius: array.radius, rate: rate))
    }

    deinit {
        rising.deallocate()
        closeness.deallocate()
        order.deallocate()
        facts.deallocate()
        elevation.deinitialize(count: 1)
        elevation.deallocate()
    }

    public var array: MicrophoneArray { facts.pointee.array }
    /// Radius of the sphere, metres.
    public var radius: Float { @_noLocks @_noAllocation get { facts.pointee.array.radius } }

    /// Frames per second.
    public var rate: Float { facts.pointee.rate }
    /// Azimuth of a channel, degrees, positive to the left.
    @_noLocks @_noAllocation
    public func azimuth(_ channel: Int) -> Float { facts.pointee.array.azimuths[channel] }

    /// Calibration of a channel: its gain, and its delay in samples.
    @_noLocks @_noAllocation
    public func trim(_ channel: Int) -> (gain: Float, delay: Float) {
        (facts.pointee.calibration.gains[channel], facts.pointee.calibration.delays[channel])
    }

    /// Whether this is the lookup of an array with a set of muted microphones.
    @_noLocks @_noAllocation
    public func lays(out array: MicrophoneArray, muted: UInt64) -> Bool {
        guard channels == array.count, facts.pointee.array.radius == array.radius,
            facts.pointee.calibration.muted == muted
        else { return false }
        for i in 0..<channels where facts.pointee.array.azimuths[i] != array.azimuths[i] { return false }
        return true
    }

    /// Frequency of a crossover by its own rule, hertz.
    @_noLocks @_noAllocation
    public func frequency(_ crossover: Crossover) -> Float {
        crossover.frequency(count: count, radius: facts.pointee.array.radius)
    }

    /// Place of `azimuth`, degrees in (-180, 180], in the ring.
    @_noLocks @_noAllocation
    public func bracket(_ azimuth: Float) -> Bracket {
        let turned = azimuth - first
        let past = turned + (turned < 0 ? 360 : 0)
        // On an even ring the first guess is right, or off by one due to rounding.
        var place = min(rt_whole(past * density), count &- 1)
        while rising[place &+ 1] <= past { place = place &+ 1 }
        while rising[place] > past { place = place &- 1 }
        return Bracket(
            lower: Int(order[place]), upper: Int(order[place &+ 1]),
            fraction: min((past - rising[place]) * closeness[place], 1), closeness: closeness[place])
    }

    /// Adds the weights of the whole ring for an ear at `azimuth`, degrees, in one band.
    @_noLocks @_noAllocation
    public func add(azimuth: Float, to taps: inout Taps, _ band: Taps.Band) {
        fit.add(azimuth: azimuth, to: taps.weights + Taps.row(band, 0))
    }

    /// Adds the weights of the rows that correct an ear's elevation.
    ///
    /// - Parameters:
    ///   - azimuth: degrees.
    ///   - elevation: degrees from 0 to 90.
    @_noLocks @_noAllocation
    public func add(azimuth: Float, elevation height: Float, to taps: inout Taps) {
        elevation.pointee.add(azimuth: azimuth, elevation: height, to: taps.weights + Taps.row(.ringElevation, 0))
    }

    /// Samples between two taps of the filters for ears above and below the ring's plane.
    public var elevationStride: Int { @_noLocks @_noAllocation get { elevation.pointee.stride } }

    /// The taps of a term of ``ElevationTerms``, that of the oldest sample first.
    @_noLocks @_noAllocation
    public func elevationFilter(_ term: Int) -> UnsafePointer<Float> { elevation.pointee.filter(term) }

    /// Weight of every channel in a circular harmonic of the field (1, cos a, sin a, cos 2a...); nil when the ring has too few
    /// microphones for it.
    @_noLocks @_noAllocation
    public func harmonic(_ function: Int) -> UnsafePointer<Float>? {
        function <= 2 &* fit.order ? fit.row(function) : nil
    }

    /// `channel`, or the microphone nearest to it when it is muted or the array has no such channel.
    @_noLocks @_noAllocation
    public func standIn(_ channel: Int) -> Int {
        if channel < channels, !facts.pointee.calibration.isMuted(channel) { return channel }
        let bracket = bracket(channel < channels ? facts.pointee.array.azimuths[channel] : 0)
        return bracket.fraction < 0.5 ? bracket.lower : bracket.upper
    }
}
