package import FileOutput
import Files
import Foundation
import Hub
package import Media

/// Recordings that are made from others for clients, one at a time, on a thread that may take long. Used on the control thread.
final class RecordingCopies {
    private let hub: Hub
    /// Its product is the reason why no recording was made; empty when one was.
    private var job: BackgroundJob<String>?

    init(hub: Hub) { self.hub = hub }

    /// - Parameter work: makes a recording, while it is wanted.
    /// - Throws: `RequestError` while another one is being made, and `JobRefusal`.
    func begin(_ work: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Void) throws {
        guard job == nil else { throw RequestError("a recording is being corrected or joined; wait until it is complete") }
        job = try BackgroundJob(name: "copy", onEnd: {}) { isWanted in
            do { try work(isWanted) } catch { return "\(error)" }
            return ""
        }
    }

    /// - Returns: whether a recording was made.
    func tick() -> Bool {
        guard let reason = job?.product else { return false }
        job = nil
        if !reason.isEmpty { hub.notice(reason) }
        return reason.isEmpty
    }

    func stop() { job?.giveUp() }
}

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

/// The request of a client to join mono files to one recording.
struct RingJoin: Decodable, Sendable {
    /// PLACE/NAME of each microphone, in order.
    let files: [String]
    /// Name of the recording, without its ending.
    let name: String

    /// - Throws: `RequestError` for anything other than such a JSON object.
    init(json: String) throws {
        do { self = try JSONDecoder().decode(RingJoin.self, from: Data(json.utf8)) } catch {
            throw RequestError("mono files are joined by a JSON object such as {\"files\":[\"sounds/mic 1.wav\",…],\"name\":\"ring\"}")
        }
        guard RecordingReader.channelRange.contains(files.count) else {
            let (least, most) = (RecordingReader.channelRange.lowerBound, RecordingReader.channelRange.upperBound)
            throw RequestError("\(files.count) files are named; a recording has \(least) to \(most) microphones")
        }
    }
}
