import ArgumentParser
import Media
import Parameters

/// Options of the limiter before an output file, and the report about it.
struct LimiterOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Keep the true peak below --ceiling, as live; --no-limiter writes the sound as it is, also above full scale.")
    var limiter = true

    @Option(help: "True-peak limit, dB, -24 to 0.")
    var ceiling: Float = ProtectionParameter.ceiling.spec.initial.numbers[0]

    func validate() throws {
        guard ProtectionParameter.ceilings.contains(ceiling) else {
            throw ValidationError("--ceiling \(ceiling): give -24 to 0 dB.")
        }
    }

    /// Levels of the output, and the limiter's part, in words.
    ///
    /// - Parameter reduction: largest gain reduction, dB.
    func report(_ loudness: Loudness, reduction: Float) -> String {
        let taken = reduction < 0.05 ? "not active" : "up to \(Float((reduction * 10).rounded() / 10)) dB"
        return "\(loudness.text); limiter \(limiter ? taken : "off")"
    }
}
