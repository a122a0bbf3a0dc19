internal import Glibc

/// The demonstration scene's instruments, each made by code, always the same.
enum Demo {
    /// Frames per second of all of them.
    static let rate = 48_000

    /// Frequency of a MIDI note number, Hz; 69 is 440.
    static func pitch(_ note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }

    /// What is left after `time` of a sound that falls by 60 dB in `seconds`.
    static func decay(_ time: Double, seconds: Double) -> Double { pow(0.001, time / seconds) }
}
