/// Properties of a method, from its declaration.
extension InterpolationMethod {
    /// Name used by clients and the command line.
    public var name: String { declaration.name.description }

    /// Name for listeners.
    public var title: String { declaration.title.description }

    /// Crossover between the method's two bands; nil when it has one band.
    public var crossover: Crossover? { @_noLocks @_noAllocation get { declaration.crossover } }

    /// Bands of the scene that this method uses.
    public var bands: BandSet { @_noLocks @_noAllocation get { declaration.bands } }

    /// Further bands that the method uses for an ear above or below the ring's plane.
    public var elevationBands: BandSet { @_noLocks @_noAllocation get { declaration.elevationBands } }

    /// Latency of the method in samples.
    @_noLocks @_noAllocation
    public func latency(rate: Float) -> Int {
        switch declaration.frame {
        case .none: 0
        case .spectral: SpectralFrame(rate: rate).latency
        case .hrtf: HRTFFrame(rate: rate).latency
        }
    }

    /// Method that is used instead of this one while it has no filters yet.
    public var standIn: InterpolationMethod { @_noLocks @_noAllocation get { declaration.standIn ?? self } }
}
