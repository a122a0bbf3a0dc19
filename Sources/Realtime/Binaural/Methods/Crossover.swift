/// The two crossovers of the scene, each with the rule for its frequency.
public enum Crossover: Int, CaseIterable, Sendable {
    /// For methods that interpolate between two neighbours: a quarter wavelength per microphone spacing,
    /// N c / (8 pi r) (Algazi, Duda, Thompson, JAES 52(11), 2004).
    case neighbours
    /// For methods that use the whole ring: 0.8 of the spatial Nyquist frequency, 0.8 N c / (4 pi r).
    case ring

    /// Frequency, hertz.
    ///
    /// - Parameters:
    ///   - count: number of microphones that are not muted.
    ///   - radius: radius of the sphere, metres.
    @_noLocks @_noAllocation
    public func frequency(count: Int, radius: Float) -> Float {
        let neighbours = Float(count) * MicrophoneArray.speedOfSound / (8 * .pi * radius)
        return self == .neighbours ? neighbours : 1.6 * neighbours
    }
}
