package import FileOutput
import Files
import Foundation
package import Media

/// Recordings that are made from others. For threads that may wait.
package enum RingCopy {
    /// Writes a copy of a recording with the order and polarities of its channels corrected: `NAME-corrected.wav`.
    /// - Throws: the reason, also when there is nothing to correct.
    static func correct(_ path: String, in folder: String, isWanted: () -> Bool) throws {
        guard let finding = try RingFinding(path: path, progress: { _ in isWanted() }) else { return }
        guard finding.isCorrectable else { throw RequestError("\(path) is not copied: its channels have no known errors") }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        try write(finding, of: path, to: OutputFile("\(folder)/\(stem)-corrected.wav"), isWanted: isWanted)
    }

    /// Writes a corrected copy of a recording, and a copy of its sidecar with the positions of the microphones.
    package static func write(
        _ finding: RingFinding, of path: String, to output: OutputFile, isWanted: () -> Bool = { true }
    ) throws {
        let sidecar = try? RegularFile(SceneDescription.sidecar(of: path)).bytes(atMost: RegularFile.largestText)
        let place = SceneDescription.sidecar(of: output.path)
        let positions = try sidecar.map { try ($0, OutputFile(place)) }
        guard try RingCorrection.write(finding, of: path, to: output, progress: { _ in isWanted() }), let (bytes, file) = positions else {
            return
        }
        try file.write(bytes)
        try file.finish()
    }

    static func join(_ paths: [String], to place: String, isWanted: () -> Bool) throws {
        try FileManager.default.createDirectory(
            atPath: FilePlace.equivalent(FilePlace.folder(of: place)), withIntermediateDirectories: true)
        _ = try RingCorrection.join(paths, to: OutputFile(place)) { _ in isWanted() }
    }
}
