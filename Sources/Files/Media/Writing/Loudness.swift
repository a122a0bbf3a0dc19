internal import Foundation

/// Levels of a whole sound.
public struct Loudness: Sendable, Equatable {
    /// Largest sample, linear.
    public let peak: Double
    /// Largest magnitude between samples as well (ITU-R BS.1770), linear.
    public let truePeak: Double
    /// Integrated loudness (EBU R 128), LUFS; nil for sound below -70 LUFS or shorter than 0.4 s.
    public let integrated: Double?

    public init(peak: Double, truePeak: Double, integrated: Double?) {
        self.peak = peak
        self.truePeak = truePeak
        self.integrated = integrated
    }

    /// The levels in words.
    public var text: String {
        guard peak > 0 else { return "silence" }
        let levels = String(format: "peak %.2f dBFS, true peak %.2f dBTP", 20 * log10(peak), 20 * log10(max(peak, truePeak)))
        return levels + (integrated.map { String(format: ", loudness %.1f LUFS", $0) } ?? ", loudness below -70 LUFS or too short")
    }
}
