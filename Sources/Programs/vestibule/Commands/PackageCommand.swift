import ArgumentParser
import Media
import Packages

/// `vestibule package`: packs a recording for browsers.
struct PackageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Pack a recording for browsers, to be heard without the engine.",
        discussion: """
            Writes a folder that any web server can host: index.json, and a file for each second of sound with its SHA-256, lossless \
            (FLAC, 24 bits) or with --opus compressed. The page listen.html plays it with the engine's own renderer; \
            docs/listening-in-a-browser.md explains how, protocol/recording-package.md describes the format.
            """)

    @Argument(help: "Recording: a file of 4 to 64 channels, or a folder of mono files.")
    var recording: String

    @Option(help: "Title shown to listeners (default: name of the recording).")
    var title: String?

    @Option(
        help: ArgumentHelp(
            "Compress each microphone by itself as Opus, at \(OpusFile.bitrates.lowerBound) to \(OpusFile.bitrates.upperBound) kbit/s.",
            valueName: "kbit/s"))
    var opus: Int?

    @Option(help: "Folder to make; one that has files already is refused.")
    var output: String

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output: name a folder.") }
        if let opus, !OpusFile.bitrates.contains(opus) {
            let (least, most) = (OpusFile.bitrates.lowerBound, OpusFile.bitrates.upperBound)
            throw ValidationError("--opus: give \(least) to \(most) kilobits per second; 64 is a good choice.")
        }
        guard let title else { return }
        let isOneLine = title.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) }
        guard (1...200).contains(title.count), isOneLine else {
            throw ValidationError("--title: give one line of 1 to 200 characters.")
        }
    }

    func run() throws {
        var reader = try RecordingReader(path: recording)
        reader.warnings.forEach(warn)
        let progress = ProgressLine("Packing")
        let index = try PackageWriter.write(&reader, title: title ?? name, coding: opus.map { .opus(bitrate: $0) } ?? .lossless, to: output)
        { done, all in
            progress.show(Double(done) / Double(all))
        }
        progress.clear()
        reader.limited.warnings.forEach(warn)
        let seconds = (Double(index.frames) / Double(index.rate)).rounded(decimals: 3)
        let megabytes = (Double(index.bytes) / 1e6).rounded(decimals: 1)
        print(
            "\(output): \(counted(index.array.count, "microphone")), \(seconds) s at \(index.rate) Hz, "
                + "\(counted(index.chunks.count, "chunk")), \(megabytes) MB")
    }

    /// Name of the recording without its folder and its extension.
    private var name: String {
        let last = recording.split(separator: "/").last.map(String.init) ?? recording
        return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    }
}
