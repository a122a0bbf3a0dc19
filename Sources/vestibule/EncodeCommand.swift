import ArgumentParser
import Media

/// `vestibule encode`: a recording as ambisonics, for other decoders.
struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Encode a recording into ambisonics (AmbiX: ACN, SN3D) that other decoders can use.",
        discussion: """
            The ring's circular harmonics are freed of the rigid sphere and taken as a horizontal sound field \
            (equatorial microphone array: Ahrens et al., JASA 150(2), 2021; arXiv 2211.00584).

            Its limits: elevation is lost, sound from above and below is heard in the horizon and with another timbre. \
            N microphones give orders up to (N - 1) / 2. Above N c / (4 pi r), 5 kHz for 16 microphones on 8.75 cm, \
            directions fold into one another. Towards low frequencies, where a sphere of this size hardly tells \
            directions apart, high orders fade out, so that the microphones' noise is not amplified beyond --limit.
            """)

    @Argument(help: "The recording: a file of 4 to 64 channels, or a folder of mono files.")
    var recording: String

    @Option(help: "Highest order; (order + 1) squared channels. Without it 7, or what the microphones allow.")
    var order: Int?

    @Option(help: "How much a harmonic may be amplified, dB: more gives more directions at low frequencies, and noise.")
    var limit = 20.0

    @Option(help: "The file to write: .wav, .rf64, .w64 or .caf, 32-bit float.")
    var output: String

    func validate() throws {
        guard AmbisonicEncoding.limits.contains(limit) else { throw ValidationError("--limit \(limit): 0 to 40 dB.") }
        guard order ?? 1 >= 0 else { throw ValidationError("--order \(order!): 0 or more.") }
    }

    func run() throws {
        var reader = try RecordingReader(path: recording)
        for warning in reader.warnings { print("Warning: \(warning)") }
        let encoding = try AmbisonicEncoding(
            reader.array, rate: reader.rate, order: order ?? min(7, AmbisonicEncoding.highest(reader.array)),
            limit: limit)
        let writer = try SoundWriter(path: output, channels: encoding.channels, rate: Int(reader.rate))
        let progress = ProgressLine("Encoding")
        try encoding.encode(&reader, progress: progress.show) { block, count throws(MediaError) in
            try writer.write(block, frames: count)
        }
        try writer.finish()
        progress.clear()
        print(
            """
            \(output): order \(encoding.order), \(encoding.channels) channels, ACN, SN3D, \
            \(Double(writer.frames) / reader.rate) s at \(Int(reader.rate)) Hz
            """)
    }
}
