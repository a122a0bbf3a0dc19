import Foundation

/// The nearest note of the chromatic scale, and the distance to it.
package struct NoteName: Sendable, Equatable {
    /// Name with octave: `A4`, `C♯3`.
    package let name: String
    /// Distance from the note, -50 to 50.
    package let cents: Float

    private static let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    /// A4 in semitones above C0.
    private static let concertPitch = 57

    /// - Parameters:
    ///   - frequency: hertz, above 0.
    ///   - reference: hertz of A4.
    package init(frequency: Float, reference: Float) {
        let semitones = 12 * log2(Double(frequency) / Double(reference)) + Double(Self.concertPitch)
        let nearest = semitones.rounded()
        let number = Int(clamping: nearest)
        let place = (number % 12 + 12) % 12
        name = Self.names[place] + "\((number - place) / 12)"
        cents = Float(100 * (semitones - nearest))
    }
}
