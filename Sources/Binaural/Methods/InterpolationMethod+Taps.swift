extension InterpolationMethod {
    /// Adds the weights of the rows that make up an ear at `azimuth` with this method.
    ///
    /// - Parameters:
    ///   - azimuth: degrees in (-180, 180]; `bracket` is its place in the ring.
    ///   - elevation: degrees from 0 to 90; used by `ring-spectral`, in the bands ``elevationBands``.
    ///   - fixed: channel that `two-band-fixed` uses above the crossover.
    @_noLocks @_noAllocation
    public func taps(
        _ ring: borrowing RingLookup, azimuth: Float, elevation: Float = 0, _ bracket: Bracket, nearest: NearestMicrophone, fixed: Int,
        into taps: inout Taps
    ) {
        switch self {
        case .nearest: Self.nearest(nearest, &taps)
        case .linear: Self.linear(bracket, .full, &taps)
        case .twoBandFixed: Self.twoBandFixed(bracket, ring.standIn(fixed), &taps)
        case .twoBand: Self.twoBand(bracket, nearest, &taps)
        case .twoBandSpectral:
            Self.linear(bracket, .delayedLow, &taps)
            Self.spectral(.neighbours, bracket, &taps)
        case .ring: Self.ring(ring, azimuth, nearest, &taps)
        case .ringSpectral: Self.ringSpectral(ring, azimuth: azimuth, elevation: elevation, bracket, &taps)
        case .personal: taps.add(.hrtf, 0, 1)
        }
    }

    /// Bands of the scene that this method uses.
    public var bands: BandSet {
        @_noLocks @_noAllocation get {
            switch self {
            case .nearest, .linear: BandSet(.full)
            case .twoBandFixed, .twoBand: BandSet(.low, .high)
            case .twoBandSpectral: BandSet(.delayedLow, .magnitude, .phase)
            case .ring: BandSet(.ringLow, .ringHigh)
            case .ringSpectral: BandSet(.ringDelayedLow, .ringMagnitude, .ringPhase)
            case .personal: BandSet(.hrtf)
            }
        }
    }

    /// Further bands that the method uses for an ear above or below the ring's plane.
    public var elevationBands: BandSet {
        @_noLocks @_noAllocation get {
            switch self {
            case .ringSpectral: BandSet(.ringElevation)
            case .nearest, .linear, .twoBandFixed, .twoBand, .twoBandSpectral, .ring, .personal: BandSet()
            }
        }
    }
}
