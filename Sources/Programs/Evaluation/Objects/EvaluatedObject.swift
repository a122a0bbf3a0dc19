/// A sound object that is rendered in an evaluation, beside silent microphones.
struct EvaluatedObject {
    /// Looped sound.
    let sound: [Float]
    /// Degrees.
    let azimuth: Double
    let elevation: Double
    /// Whether it is encoded onto the microphone array instead of being rendered for the listeners.
    let isEncoded: Bool
}
