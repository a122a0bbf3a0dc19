internal import Glibc

/// How the ear divides frequencies: equivalent rectangular bandwidths.
///
/// Glasberg and Moore, "Derivation of auditory filter shapes from notched-noise data", Hearing Research 47, 1990.
public enum ErbScale {
    /// How many bandwidths lie below `frequency`, Hz.
    public static func number(of frequency: Double) -> Double { 21.4 * log10(1 + 0.00437 * frequency) }

    /// Hz; the inverse of ``number(of:)``.
    public static func frequency(of number: Double) -> Double { (pow(10, number / 21.4) - 1) / 0.00437 }

    /// Hz; of the band around `frequency`, Hz.
    public static func bandwidth(at frequency: Double) -> Double { 24.7 * (0.00437 * frequency + 1) }
}
