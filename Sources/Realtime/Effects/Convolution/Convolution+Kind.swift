internal import Glibc
internal import Specification

extension EffectKind {
    public static let convolution = EffectKind(
        Convolution.self, "convolution", "Sound of a room or a device, by its impulse response.",
        files: [
            .init("response", title: "Response", "Name of the impulse response in the responses folder: one, two or four channels.")
        ],
        wetDry: .equalPower(0.3, former: 0.3),
        benchmarks: [
            .init("convolution, 2 s", response: { noise(96_000) })
        ]
    ) { EffectCall.run(Convolution.self, $0) }
}

extension Convolution.Settings {
    public static let parameters: [EffectParameter<Self>] = [
        .init(\.gain, .level("Gain", -40...24, initial: 0, "Gain of the convolved sound.")),
        .init(
            \.level,
            .choice(
                "Level", ["normalised", "as recorded"],
                "Level of the response: normalised to keep the level of white noise, or as in its file."
            ).smoothed(.effect)),
    ]
}

/// A decaying pattern similar to the impulse response of a room.
private func noise(_ count: Int) -> ResponseSpectra {
    let response = (0..<count).map { Float(sin(Double($0 * $0 % 7919))) * expf(-Float($0) / 14_000) * 0.02 }
    return ResponseSpectra(left: response, right: response)
}
