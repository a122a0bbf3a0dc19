import CRealtime
import FileOutput
import Files
import Foundation
import Hub
import ListeningTest
import Media

/// The files of listening tests in the results folder. Used on threads that may wait, and before and after the sound.
struct TestFiles: Sendable {
    let folder: String

    /// The test that was running when the program ended.
    struct Running: Codable, Equatable {
        var test: String
        var participant: String
    }

    /// Contents to write; nil for files that stay.
    struct Contents: Sendable {
        var record: TestRecord
        var table: String
        var motion: String?
        var isRunning: Bool
        /// Whether the test can continue later.
        var isKept = true
    }

    private static let markerName = "running.json"

    /// - Throws: the reason why a file is not a result: it is not a text, or it is the marker of the running test.
    static func check(_ path: String) throws {
        guard FilePlace.name(of: path) != markerName else { throw RequestError("it is the marker of the running test") }
        _ = try RegularFile.text(path)
    }

    private func path(_ test: String, _ participant: String, _ ending: String) -> String { "\(folder)/\(test)-\(participant)\(ending)" }
    private var marker: String { folder + "/" + Self.markerName }

    /// Progress of a participant; nil for a new one.
    func record(_ test: String, _ participant: String) throws -> TestRecord? {
        let path = path(test, participant, ".json")
        guard FilePlace.isThere(path) else { return nil }
        do { return try JSONDecoder().decode(TestRecord.self, from: Data(RegularFile.text(path).utf8)) } catch {
            throw RequestError("\(path) is not the progress of a test: \(error); move it away, or use another code")
        }
    }

    /// Rows of the head motion; empty for none.
    func motion(_ test: String, _ participant: String) -> String {
        (try? RegularFile.text(path(test, participant, "-motion.csv"))) ?? ""
    }

    var running: Running? {
        guard let text = try? RegularFile.text(marker) else { return nil }
        return try? JSONDecoder().decode(Running.self, from: Data(text.utf8))
    }

    func write(_ contents: Contents) throws {
        let record = contents.record
        guard contents.isKept || record.trial > 0 else { return }
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw RequestError("the folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        if contents.isKept { try write(Self.json(record), path(record.test, record.participant, ".json")) }
        try write(contents.table, path(record.test, record.participant, ".csv"))
        if let motion = contents.motion { try write(motion, path(record.test, record.participant, "-motion.csv")) }
        if contents.isRunning {
            try write(Self.json(Running(test: record.test, participant: record.participant)), marker)
        } else {
            forgetRunning()
        }
    }

    /// Removes the marker, so that no test resumes at the next start.
    func forgetRunning() { try? FileManager.default.removeItem(atPath: marker) }

    private func write(_ text: String, _ path: String) throws {
        let file = try OutputFile(path, existing: .replaced)
        try file.write(text)
        try file.finish()
    }

    private static func json(_ value: some Encodable) throws -> String {
        return String(decoding: try JSONEncoder.file.encode(value), as: UTF8.self) + "\n"
    }
}

/// Writes the results of listening tests on another thread, one version after the other; a version that is superseded before it is written
/// is skipped.
final class ResultsWriter {
    private let hub: Hub
    private let files: TestFiles
    private var job: BackgroundJob<String?>?
    private var waiting: TestFiles.Contents?
    /// Longest wait for another thread at the end of the program, nanoseconds.
    private static let patience: UInt64 = 2_000_000_000

    init(hub: Hub, files: TestFiles) { (self.hub, self.files) = (hub, files) }

    var isBusy: Bool { job != nil }

    func save(_ contents: TestFiles.Contents) {
        var coming = contents
        // The head motion of a skipped version is still written.
        if coming.motion == nil { coming.motion = waiting?.motion }
        waiting = coming
        collect()
    }

    /// Reports what has been written, and begins to write what waits.
    func collect() {
        if let problem = job?.product {
            job = nil
            if let problem { hub.notice("listening test: \(problem)") }
        }
        guard job == nil, let contents = waiting else { return }
        let files = files
        // If no thread can be started, the next call tries again.
        job = try? BackgroundJob(name: "test results", onEnd: {}) { _ in
            do { try files.write(contents) } catch { return "\(error)" }
            return nil
        }
        if job != nil { waiting = nil }
    }

    /// Writes at once, after what is being written; for the end of the program.
    func finish(_ contents: TestFiles.Contents) {
        let end = rt_now() + Self.patience
        while let job, job.product == nil, rt_now() < end { realtime_sleep_until(rt_now() + 1_000_000) }
        (job, waiting) = (nil, nil)
        do { try files.write(contents) } catch { hub.notice("listening test: \(error)") }
    }
}
