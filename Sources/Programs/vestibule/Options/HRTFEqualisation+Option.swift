import ArgumentParser
import Binaural

/// The option `--hrtf-equalisation`.
extension HRTFEqualisation {
    private static let names = allCases.map(\.name).joined(separator: ", ")

    static let help = ArgumentHelp(
        "Colour of the HRTF that the method hrtf keeps: \(names). neutral removes what all directions on the horizon share; "
            + "diffuse-field makes the mean over all directions flat.")

    /// - Throws: `ValidationError` for a name that is no equalisation.
    static func check(_ name: String?) throws {
        guard let name, HRTFEqualisation(name: name) == nil else { return }
        throw ValidationError("--hrtf-equalisation: there is no \"\(name)\". Choose one of \(names).")
    }
}
