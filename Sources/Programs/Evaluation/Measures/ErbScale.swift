internal import Glibc

/// Scale of equivalent rectangular bandwidths, in which the ear divides frequencies.
///
/// Glasberg and Moore, "Derivation of auditory filter shapes from notched-noise data", Hearing Research 47, 1990.
public enum ErbScale {
    /// Number of bandwidths below `frequency`, Hz.
    public static func number(of frequency: Double) -> Double { 21.4 * log10(1 + 0.00437 * frequency) }

    /// Returns the frequency in Hz; the inverse of ``number(of:)``.
    public static func frequency(of number: Double) -> Double { (pow(10, number / 21.4) - 1) / 0.00437 }

    /// Returns the bandwidth in Hz at `frequency` in Hz.
    public static func bandwidth(at frequency: Double) -> Double { 24.7 * (0.00437 * frequency + 1) }
}
