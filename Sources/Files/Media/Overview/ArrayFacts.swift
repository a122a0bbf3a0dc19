public import Binaural

/// The microphones of a recording, as lists name them.
public struct ArrayFacts: Sendable, Equatable, Codable {
    public let microphones: Int
    /// Radius of the sphere in millimetres, one decimal.
    public let radius: Double

    public init(_ array: MicrophoneArray) {
        microphones = array.count
        radius = (Double(array.radius) * 1000).rounded(decimals: 1)
    }
}
