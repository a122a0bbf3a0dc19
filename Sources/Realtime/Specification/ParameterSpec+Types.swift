extension ParameterSpec {
    /// The unit of the numbers, spelled as in OSCQuery's list of units, or in the same style where the list has none.
    public enum Unit: String, Sendable, Codable {
        case none = ""
        case decibel = "gain.db"
        case linearGain = "gain.linear"
        case hertz = "time.hz"
        case second = "time.second"
        case millisecond = "time.ms"
        case sample = "time.samples"
        case degree = "angle.degree"
        case metre = "distance.m"
        case cent = "time.cents"
        case beatsPerMinute = "time.bpm"
        case degreesPerMinute = "angle.degree-per-minute"
        case percent = "ratio.percent"
        case partsPerMillion = "ratio.ppm"
        case celsius = "temperature.celsius"
        case kilobitsPerSecond = "data.kilobit-per-second"
    }

    /// The type of the value, hence its OSC type and its control.
    public enum Kind: Sendable, Equatable {
        case number(logarithmic: Bool)
        case integer
        case toggle
        case choice([String])
        /// A fixed number of floats that belong together, one name each.
        case vector([String])
        /// As many floats as there are microphones, or a multiple of them.
        case list
        case text
        /// No value: an action.
        case impulse
    }

    /// Read and write access; raw values are OSCQuery's.
    public enum Access: Int, Sendable { case read = 1, write = 2, readWrite = 3 }
}
