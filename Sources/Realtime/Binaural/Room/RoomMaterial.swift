internal import DSP
internal import Glibc

/// A surface: its share of absorbed and of scattered energy, and its colour on displays.
public struct RoomMaterial: Sendable, Equatable {
    /// Name in files: lower case, words joined by hyphens.
    public let name: String
    public let title: String
    /// Absorption coefficients for diffuse incidence, 0 to 1, in seven octaves from 125 Hz to 8 kHz.
    public let absorption: [Float]
    /// Share of the reflected energy that is scattered, 0 to 1, at mid frequencies.
    public let scattering: Float
    /// Colour as #rrggbb.
    public let colour: String
    /// Publication of the coefficients.
    public let source: String
    /// Number of octaves.
    public static let octaves = 7
    /// Largest absorption in computations: no surface absorbs all sound at every angle.
    private static let most: Float = 0.99

    public init(name: String, title: String, absorption: [Float], scattering: Float, colour: String, source: String) {
        precondition(absorption.count == Self.octaves)
        self.name = name
        self.title = title
        self.absorption = absorption
        self.scattering = scattering
        self.colour = colour
        self.source = source
    }

    /// Returns the built-in material with a name.
    public static func named(_ name: String) -> RoomMaterial? { all.first { $0.name == name } }

    /// Levels of the sound behind a wall of this material, decibels in the octaves of `OctaveFilter`.
    ///
    /// The wall passes at most the energy that it does not reflect, and above 250 Hz 6 dB less per octave, according to the mass law.
    public var transmission: SIMD8<Float> {
        let reflection = reflection
        var levels = SIMD8<Float>.zero
        for band in 0..<8 {
            let turns = OctaveFilter.centres[band] / Self.corner
            levels[band] = 10 * log10f(max(1e-3, 1 - reflection[band]) / (1 + turns * turns))
        }
        return levels
    }

    /// Frequency from which on the mass of walls counts, hertz.
    private static let corner: Float = 250

    /// Share of the energy that a reflection keeps, in the octaves of `OctaveFilter`; the last as at 8 kHz.
    public var reflection: SIMD8<Float> {
        var values = SIMD8<Float>.zero
        for band in 0..<8 { values[band] = 1 - min(Self.most, absorption[min(band, Self.octaves - 1)]) }
        return values
    }
}
