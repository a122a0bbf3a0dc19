internal import Glibc

/// Instruments of the demonstration scene, all synthesised and reproducible.
enum Demo {
    /// Rate of all instruments in frames per second.
    static let rate = 48_000

    /// Returns the frequency in Hz of a MIDI note number; 69 is 440 Hz.
    static func frequency(_ note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }

    /// Level after `time` of a sound that decays by 60 dB in `seconds`.
    static func decay(_ time: Double, seconds: Double) -> Double { pow(0.001, time / seconds) }
}
