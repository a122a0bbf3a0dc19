import ArgumentParser
import Media
import Parameters

/// Options of the limiter before an output file, and the report about it.
struct LimiterOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Keep the true peak below --ceiling, as live; --no-limiter writes the sound as it is, also above full scale.")
    var limiter = true

    @Option(name: .customLong("ceiling"), help: "True-peak limit, dB, \(Self.range) (default: \(Self.standardCeiling)).")
    var givenCeiling: Float?

    private static let standardCeiling = ProtectionParameter.ceiling.spec.initial.numbers[0]

    /// True-peak limit, dB; nil for no limiter.
    var ceiling: Float? { limiter ? givenCeiling ?? Self.standardCeiling : nil }

    /// Range of the ceiling, in words.
    private static let range =
        "\(Int(clamping: ProtectionParameter.ceilings.lowerBound)) to \(Int(clamping: ProtectionParameter.ceilings.upperBound))"

    func validate() throws {
        guard let givenCeiling else { return }
        guard ProtectionParameter.ceilings.contains(givenCeiling) else {
            throw ValidationError("--ceiling \(givenCeiling): give \(Self.range) dB.")
        }
        guard limiter else { throw ValidationError("--ceiling has no effect with --no-limiter. Omit one of them.") }
    }

    /// Levels of the output, and the limiter's part, in words.
    ///
    /// - Parameter reduction: largest gain reduction, dB.
    func report(_ loudness: Loudness, reduction: Float) -> String {
        let taken = reduction < 0.05 ? "not active" : "up to \(Float((reduction * 10).rounded() / 10)) dB"
        return "\(loudness.text); limiter \(limiter ? taken : "off")"
    }
}
