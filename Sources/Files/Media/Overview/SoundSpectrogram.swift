/// The spectrogram of a sound file as text: levels in frequency bands over time, over all channels.
public struct SoundSpectrogram: Sendable, Equatable, Codable {
    /// Maximum number of spectra.
    public static let mostColumns = 120
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")

    public let columns: Int
    public let rows: Int
    /// Edges in Hz of the lowest and of the highest band; the bands between them are equally wide on a logarithmic scale.
    public let lowest: Double
    public let highest: Double
    /// Level in dB of the digit 0; z is 0 dB, a sine at full scale, and the steps between are equal.
    public let floor: Double
    /// One digit from 0 to z for each band, one spectrum after the other, the lowest band first.
    public let levels: String

    /// The spectra that it is made of.
    static func spectra(frames: Int, channels: Int, rate: Double) -> OverviewSpectra {
        OverviewSpectra(frames: frames, channels: channels, rate: rate, slices: mostColumns, rows: 32)
    }

    /// nil for no spectra, or incomplete ones.
    init?(_ spectra: borrowing OverviewSpectra?) {
        switch spectra {
        case .some(let spectra):
            guard spectra.levels.count >= spectra.slices, spectra.slices > 0 else { return nil }
            (columns, rows) = (spectra.slices, spectra.levels.count / spectra.slices)
            (lowest, highest) = (spectra.frequencies.lowerBound, spectra.frequencies.upperBound)
            floor = Double(RecordingOverview.decibels.lowerBound)
            levels = String(spectra.levels.map { Self.digits[(Int($0) * (Self.digits.count - 1) + 127) / 255] })
        case .none: return nil
        }
    }
}
