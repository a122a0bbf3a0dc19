/// Reference figures: level errors in a simulation of the formulas alone, without filters, frames or a renderer.
///
/// Rigid sphere of 0.0875 m, 8 ear positions per sector, 120 azimuths, lines every 46.875 Hz from 50 Hz to 16 kHz
/// summed in ERB bands; mean magnitudes in dB. The wide line spacing leaves narrow low bands empty, which gives more
/// weight to the higher ones: up to 0.05 dB in the mean over all bands, 0.15 dB in the 95th percentile.
public struct ReferenceFigures: Sendable {
    public let all: Double
    /// Below 1.5 kHz, 1.5 to 5 kHz, above 5 kHz; nil where not reported.
    public let regions: SIMD3<Double>?
    public let p95: Double

    private init(_ all: Double, _ regions: SIMD3<Double>?, _ p95: Double) {
        (self.all, self.regions, self.p95) = (all, regions, p95)
    }

    /// - Parameter method: name of the method.
    public static func find(microphones: Int, method: String) -> ReferenceFigures? { table[microphones]?[method] }

    private static let table: [Int: [String: ReferenceFigures]] = [
        8: [
            "nearest": .init(0.94, [0.31, 1.18, 1.62], 3.8), "linear": .init(1.97, [0.54, 3.24, 2.72], 8.3),
            "two-band": .init(0.98, [0.42, 1.17, 1.62], 3.9), "two-band-fixed": .init(5.1, nil, 15.5),
            "two-band-spectral": .init(0.69, [0.41, 0.79, 1.00], 3.0),
            "ring-spectral": .init(0.58, [0.06, 0.90, 1.00], 3.0),
        ],
        16: [
            "nearest": .init(0.56, [0.16, 0.66, 1.04], 2.2), "linear": .init(1.61, [0.14, 2.41, 2.96], 7.7),
            "two-band": .init(0.59, [0.14, 0.81, 1.04], 2.3), "two-band-fixed": .init(4.4, nil, 15.6),
            "two-band-spectral": .init(0.45, [0.14, 0.70, 0.64], 1.9),
            "ring-spectral": .init(0.28, [0.00, 0.32, 0.66], 1.4),
        ],
        24: [
            "nearest": .init(0.41, [0.11, 0.46, 0.82], 1.6), "linear": .init(1.33, [0.06, 1.09, 3.50], 6.7),
            "two-band": .init(0.45, [0.06, 0.65, 0.82], 1.8), "two-band-fixed": .init(3.8, nil, 15.5),
            "two-band-spectral": .init(0.36, [0.06, 0.62, 0.54], 1.6),
            "ring-spectral": .init(0.18, [0.00, 0.03, 0.63], 0.87),
        ],
        32: [
            "nearest": .init(0.33, [0.08, 0.35, 0.68], 1.3), "linear": .init(1.22, [0.03, 0.60, 3.67], 6.4),
            "two-band": .init(0.37, [0.03, 0.52, 0.71], 1.5), "two-band-fixed": .init(3.2, nil, 15.5),
            "two-band-spectral": .init(0.32, [0.03, 0.51, 0.53], 1.5),
            "ring-spectral": .init(0.13, [0.00, 0.00, 0.48], 0.64),
        ],
    ]
}
