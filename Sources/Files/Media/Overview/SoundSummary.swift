internal import Foundation

/// A sound file, or a folder of mono files, at a glance: its form, loudness, peak and outline.
public struct SoundSummary: Sendable, Equatable, Codable {
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    public let seconds: Double
    /// Integrated loudness in LUFS (EBU R128), one decimal: of both channels; of a mono file on both ears; of an array, of its first
    /// microphone and the opposite one. nil for silence.
    public let loudness: Double?
    /// Largest sample of all channels in dB of full scale, one decimal; nil for silence.
    public let peak: Double?
    /// Largest magnitudes in ``points`` parts of equal length, from 0 to full scale, each two hexadecimal digits.
    public let outline: String

    /// Levels in frequency bands over time; nil where it is not needed.
    public private(set) var spectrogram: SoundSpectrogram?

    /// The microphones of an array, as a sidecar describes them or as a ring of the usual size has them; nil for other sounds.
    public var array: ArrayFacts?

    /// The order and polarity of a ring's channels; nil for other sounds.
    public var ring: RingFinding?

    /// The same without the spectrogram.
    public var withoutSpectrogram: SoundSummary {
        var summary = self
        summary.spectrogram = nil
        return summary
    }

    /// Maximum number of points of an outline.
    public static let points = 120

    /// Reads a whole sound file, or a folder of mono files.
    /// - Parameter progress: called with the share that is done, 0 to 1; it returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    /// - Throws: ``MediaError`` when this is not a sound that the program reads.
    public init?(path: String, progress: (Double) -> Bool) throws(MediaError) {
        if RecordingFolder.isFolder(path) {
            var reader = try RecordingReader(path: path)
            let (channels, rate, frames) = (reader.channels, Int(clamping: reader.rate), reader.frames)
            try self.init(channels: channels, rate: rate, frames: frames, progress: progress) { samples, count throws(MediaError) in
                try reader.read(into: samples, frames: count)
            }
        } else {
            let file = try SoundFile(path: path)
            try self.init(channels: file.channels, rate: file.rate, frames: file.frames, progress: progress) {
                samples, count throws(MediaError) in try file.read(into: samples, frames: count)
            }
        }
    }

    /// - Parameter read: writes the next interleaved frames, at most as many as asked for, and returns their number.
    private init?(
        channels count: Int, rate: Int, frames: Int, progress: (Double) -> Bool,
        read: (UnsafeMutablePointer<Float>, Int) throws(MediaError) -> Int
    ) throws(MediaError) {
        let pair = [0, count == 2 ? 1 : count / 2]
        let meter = try LoudnessMeter(rate: rate, measuresPeaks: false)
        let piece = OverviewSpectra.chunk
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * count)
        let ears = UnsafeMutablePointer<Float>.allocate(capacity: 2 * piece)
        defer {
            samples.deallocate()
            ears.deallocate()
        }
        var peaks = [Float](repeating: 0, count: max(1, min(Self.points, frames)))
        var spectra = frames > 0 ? SoundSpectrogram.spectra(frames: frames, channels: count, rate: Double(rate)) : nil
        var done = 0
        while done < frames {
            let some = try read(samples, piece)
            guard some > 0 else { break }
            for frame in 0..<some {
                ears[2 * frame] = samples[frame * count + pair[0]]
                ears[2 * frame + 1] = samples[frame * count + pair[1]]
                let point = (done + frame) * peaks.count / frames
                guard point < peaks.count else { break }
                for channel in 0..<count { peaks[point] = max(peaks[point], abs(samples[frame * count + channel])) }
            }
            try meter.add(ears, frames: some)
            spectra?.add(samples, frames: some)
            done += some
            guard progress(Double(done) / Double(frames)) else { return nil }
        }
        func tenths(_ value: Double) -> Double { (10 * value).rounded() / 10 }
        let highest = peaks.max() ?? 0
        (channels, self.rate, seconds) = (count, rate, (1000 * Double(done) / Double(rate)).rounded() / 1000)
        loudness = meter.loudness.integrated.map(tenths)
        peak = highest > 0 ? tenths(20 * log10(Double(highest))) : nil
        spectra?.finish()
        spectrogram = SoundSpectrogram(spectra)
        outline = peaks.map { value in
            let level = Int(clamping: (Double(min(value, 1)) * 255).rounded())
            return (level < 16 ? "0" : "") + String(level, radix: 16)
        }.joined()
    }
}
