internal import Foundation
public import Media

/// Short sounds by name: some made by formula, and those of a folder.
public struct CueShelf: Sendable {
    /// Interleaved stereo at the engine's rate; the metronome's first beat comes first, then its others.
    public private(set) var sounds: [(name: String, interleaved: [Float])]
    /// What a person should know about files that are used all the same.
    public private(set) var warnings: [String] = []

    /// Seconds of one of them.
    public static let longest = 10.0

    /// - Parameters:
    ///   - folder: of sound files of one or two channels, named for their cues; nil for none.
    ///   - rate: frames per second.
    /// - Throws: `MediaError` when the folder or one of its files cannot be used.
    public init(folder: String?, rate: Int) throws(MediaError) {
        func made(_ name: String, _ seconds: Double, _ formula: (Double) -> Double) -> (String, [Float]) {
            let samples = (0..<Int(seconds * Double(rate))).flatMap { frame -> [Float] in
                let time = Double(frame) / Double(rate)
                // Both ends meet silence.
                let edges = min(1, time / 0.0005, (seconds - time) / 0.005)
                let sample = Float(edges * formula(time))
                return [sample, sample]
            }
            return (name, samples)
        }
        func tone(_ hertz: Double, _ time: Double) -> Double { sin(2 * .pi * hertz * time) }
        sounds = [
            made("tick", 0.06) { 0.9 * tone(2000, $0) * exp(-$0 / 0.01) },
            made("tock", 0.06) { 0.7 * tone(1200, $0) * exp(-$0 / 0.01) },
            made("blip", 0.09) { 0.7 * tone(900 + 6000 * $0, $0) * exp(-$0 / 0.03) },
            made("beep", 0.25) { 0.5 * tone(880, $0) },
            made("chime", 1.5) { 0.4 * (tone(1046.5, $0) + 0.5 * tone(2637, $0) * exp(-$0 / 0.2)) * exp(-$0 / 0.4) },
        ]
        guard let folder else { return }
        let files: [String]
        do { files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw MediaError("The folder of cues \(folder) cannot be read. Name one that exists.")
        }
        for file in files where !file.hasPrefix(".") {
            let path = URL(filePath: folder).appending(path: file)
            let sound = try WholeSound(path: path.path, rate: rate, longest: Self.longest, purpose: "a cue")
            let name = path.deletingPathExtension().lastPathComponent
            warnings += sound.warnings
            // A file of that name takes the place of one that is made.
            if let known = sounds.firstIndex(where: { $0.name == name }) {
                sounds[known].interleaved = sound.interleaved
            } else {
                sounds.append((name, sound.interleaved))
            }
        }
    }

    public var names: [String] { sounds.map(\.name) }
}
