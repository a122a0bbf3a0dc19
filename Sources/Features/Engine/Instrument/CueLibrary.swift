import FileOutput
import Foundation
package import Media

/// Short sounds by name: generated ones, and the files of a folder.
package struct CueLibrary: Sendable {
    /// Interleaved stereo at the engine's rate. The metronome uses the first for the first beat and the second for the others.
    package private(set) var sounds: [(name: String, interleaved: [Float])]
    /// Warnings about files that can be used nevertheless.
    package private(set) var warnings: [String] = []

    /// Longest cue, seconds.
    package static let longest = 10.0

    /// Fades at both ends of a file, seconds: a sound that begins or ends in the middle of a wave would click.
    private static let fades = (begin: 0.001, end: 0.005)

    /// - Parameters:
    ///   - folder: holds sound files of one or two channels, each named as its cue; nil for none.
    ///   - rate: frames per second.
    /// - Throws: `MediaError` when the folder or one of its files cannot be used.
    package init(folder: String?, rate: Int) throws(MediaError) {
        func made(_ name: String, _ seconds: Double, _ formula: (Double) -> Double) -> (String, [Float]) {
            let samples = (0..<Int(clamping: seconds * Double(rate))).flatMap { frame -> [Float] in
                let time = Double(frame) / Double(rate)
                // Fades at both ends avoid clicks.
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
        do { files = try FileManager.default.contentsOfDirectory(atPath: FilePlace.equivalent(folder)).sorted() } catch {
            throw MediaError("The cue folder \(folder) cannot be read. Name a folder that exists.")
        }
        for file in files where !file.hasPrefix(".") {
            let path = URL(filePath: folder).appending(path: file)
            let sound = try WholeSound(path: path.path, rate: rate, longest: Self.longest, purpose: "a cue")
            let name = path.deletingPathExtension().lastPathComponent
            warnings += sound.warnings
            // A file replaces a generated sound of the same name.
            if let known = sounds.firstIndex(where: { $0.name == name }) {
                sounds[known].interleaved = Self.faded(sound.interleaved, rate: rate)
            } else {
                sounds.append((name, Self.faded(sound.interleaved, rate: rate)))
            }
        }
    }

    /// Returns a stereo sound with fades at both ends, which take at most half of it.
    private static func faded(_ interleaved: [Float], rate: Int) -> [Float] {
        var faded = interleaved
        let frames = faded.count / 2
        func length(_ seconds: Double) -> Int { min(frames / 4, Int(clamping: seconds * Double(rate))) }
        for (count, isEnd) in [(length(fades.begin), false), (length(fades.end), true)] {
            for i in 0..<count {
                let gain = Float(0.5 - 0.5 * cos(.pi * (Double(i) + 0.5) / Double(count)))
                let frame = isEnd ? frames - 1 - i : i
                faded[2 * frame] *= gain
                faded[2 * frame + 1] *= gain
            }
        }
        return faded
    }

    package var names: [String] { sounds.map(\.name) }
}
