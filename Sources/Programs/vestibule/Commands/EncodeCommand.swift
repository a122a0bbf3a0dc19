import ArgumentParser
import FileOutput
import Media
import Synthesis

/// `vestibule encode`: encodes a recording as ambisonics.
struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Encode a recording as ambisonics (AmbiX: ACN, SN3D) for other decoders.",
        discussion: """
            Removes the effect of the rigid sphere from the ring's circular harmonics, and takes them as a horizontal sound field \
            (equatorial microphone array: Ahrens et al., JASA 150(2), 2021; arXiv 2211.00584).

            Limits: elevation is lost; sound from above and below is heard in the horizontal plane, with another timbre. \
            N microphones give orders up to (N - 1) / 2. Above N c / (4 pi r), 5 kHz for 16 microphones at 8.75 cm, \
            directions alias. Towards low frequencies, where a sphere of this size hardly separates \
            directions, high orders fade out, so that microphone noise is not amplified by more than --limit.
            """)

    @Argument(help: "Recording: a file of 4 to 64 channels, or a folder of mono files.")
    var recording: String

    @Option(help: "Highest order, which makes (order + 1) squared channels (default: 7, or less if there are too few microphones).")
    var order: Int?

    @Option(help: "Greatest amplification of a harmonic, dB: more gives finer directions at low frequencies, and more noise.")
    var limit = 20.0

    @Option(help: "Output file: .wav, .rf64, .w64 or .caf, 32-bit float.")
    var output: String

    @OptionGroup var outputs: OutputOptions

    func validate() throws {
        guard AmbisonicEncoding.limits.contains(limit) else { throw ValidationError("--limit \(limit): give 0 to 40 dB.") }
        guard order ?? 1 >= 0 else { throw ValidationError("--order \(order!): give 0 or greater.") }
    }

    func run() throws {
        let output = try outputs.open(output, inputs: [recording])
        var reader = try RecordingReader(path: recording)
        reader.warnings.forEach(warn)
        let encoding = try AmbisonicEncoding(
            reader.array, rate: reader.rate, order: order ?? min(7, AmbisonicEncoding.highest(reader.array)),
            limit: limit)
        let writer = try SoundWriter(output, channels: encoding.channels, rate: Int(clamping: reader.rate))
        let progress = ProgressLine("Encoding")
        try encoding.encode(&reader, progress: progress.show) { block, count throws(MediaError) in
            try writer.write(block, frames: count)
        }
        try writer.finish()
        progress.clear()
        reader.limited.warnings.forEach(warn)
        print(
            """
            \(output.path): order \(encoding.order), \(encoding.channels) channels, ACN, SN3D, \
            \((Double(writer.frames) / reader.rate).rounded(decimals: 3)) s at \(Int(clamping: reader.rate)) Hz
            """)
    }
}
