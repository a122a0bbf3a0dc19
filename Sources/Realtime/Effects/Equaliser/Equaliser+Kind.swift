internal import Specification

extension EffectKind {
    public static let equaliser = EffectKind(
        Equaliser.self, "equaliser", "Eight bands: shelves, peaks, high-pass and low-pass filters.",
        benchmarks: [
            .init("equaliser, 3 bands", peer: 4200) { settings, _ in
                settings.band2.gain = 3
                settings.band4.gain = -4
                settings.band7.gain = 5
            },
            .init("equaliser, 8 bands") { settings, _ in
                settings.band1 = .init(.highPass, frequency: 40)
                settings.band2.gain = 3
                settings.band3.gain = -2
                settings.band4.gain = -4
                settings.band5.gain = 2
                settings.band6.gain = 3
                settings.band7.gain = 5
                settings.band8 = .init(.lowPass, frequency: 16_000)
            },
            // A band that is dragged: its frequency changes in each block.
            .init("equaliser, a peak that moves") { settings, block in
                settings.band4 = .init(.peak, frequency: 500 + 40 * Float(block), gain: 6, q: 1)
            },
        ]
    ) { EffectCall.run(Equaliser.self, $0) }
}

extension Equaliser.Settings {
    public static let parameters: [EffectParameter<Self>] =
        band(1, \.band1, .off, 30) + band(2, \.band2, .lowShelf, 100) + band(3, \.band3, .peak, 250, q: 1)
        + band(4, \.band4, .peak, 800, q: 1) + band(5, \.band5, .peak, 2500, q: 1) + band(6, \.band6, .peak, 6000, q: 1)
        + band(7, \.band7, .highShelf, 9000) + band(8, \.band8, .off, 18_000)

    private static func band(
        _ number: Int, _ band: KeyPath<Self, Equaliser.Band>, _ shape: Equaliser.Shape, _ frequency: Float, q: Float = 0.71
    ) -> [EffectParameter<Self>] {
        [
            .init(
                band.appending(path: \.shape),
                .choice(
                    "Band \(number) shape", ["off", "peak", "low-shelf", "high-shelf", "low-pass", "high-pass"],
                    initial: shape.rawValue, "Filter type of the band."
                )
                .with(.bandShape).smoothed(.effect)),
            .init(
                band.appending(path: \.frequency),
                .frequency(
                    "Band \(number) frequency", 20...20_000, initial: frequency,
                    "Centre of a peak, -3 dB point of a high-pass or low-pass filter at Q 0.71, middle of the slope of a shelf."
                )
                .with(.bandFrequency)),
            .init(
                band.appending(path: \.gain),
                .level("Band \(number) gain", -18...18, initial: 0, "Gain of a shelf or a peak.").with(.bandGain)),
            .init(
                band.appending(path: \.q),
                .amount(
                    "Band \(number) Q", 0.1...10, initial: q, logarithmic: true,
                    "Centre frequency divided by the bandwidth at half the gain in dB; at most 1 for shelves."
                )
                .with(.bandQ)),
        ]
    }
}
