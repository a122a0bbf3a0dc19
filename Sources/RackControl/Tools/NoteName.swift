internal import Foundation

/// The nearest note of the chromatic scale, and how far away it is.
public struct NoteName: Sendable, Equatable {
    /// As `A4`, `C♯3`.
    public let name: String
    /// -50 to 50.
    public let cents: Float

    private static let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    /// Of A4, counted in semitones from C0.
    private static let concertPitch = 57

    /// - Parameters:
    ///   - frequency: hertz, above 0.
    ///   - reference: hertz of A4.
    public init(frequency: Float, reference: Float) {
        let semitones = 12 * log2(Double(frequency) / Double(reference)) + Double(Self.concertPitch)
        let nearest = semitones.rounded()
        let number = Int(nearest)
        let place = (number % 12 + 12) % 12
        name = Self.names[place] + "\((number - place) / 12)"
        cents = Float(100 * (semitones - nearest))
    }
}
