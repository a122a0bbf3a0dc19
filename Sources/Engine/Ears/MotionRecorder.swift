import Crossing
package import FileOutput
import Foundation
import Hub
import Parameters
import Pose
import Render

/// Records the heads of all listeners, one file for each.
package final class MotionRecorder {
    private let hub: Hub
    private let files: FileDesk
    private let recorders: [ListenerMotionRecorder]

    init(hub: Hub, lines: RenderConnections, playback: Playback, files: FileDesk) {
        self.hub = hub
        self.files = files
        recorders = lines.listeners.map { line in
            ListenerMotionRecorder(heads: line.heads.take(), gate: line.isRecorded.take()) { [unowned playback] in
                playback.frame(feed: $0, framesUsed: $1)
            }
        }
    }

    func connect() {
        let recordMotion = hub.tree.index(SessionParameter.recordMotion)
        hub.onNeed(recordMotion, isReplaced: false) { [unowned self] value, _ in try files.write(opening(value)) }
        hub.onSet(recordMotion) { [unowned self] value, _ in
            guard case .motion(let opened) = try files.written(opening(value)) else { return }
            try begin(path(value), opened)
        }
        hub.onSet(hub.tree.index(SessionParameter.endMotion)) { [unowned self] _, _ in try end() }
    }

    private func path(_ value: ParameterValue) throws -> String {
        try files.clients.path(value.text ?? "", .motion, ending: ".csv")
    }

    /// The opening of the files at a path that a client names.
    private func opening(_ value: ParameterValue) throws -> FileWriting {
        let (path, count) = (try path(value), recorders.count)
        return FileWriting { [makeFolder = files.clients.maker(.motion)] in
            try makeFolder()
            return .motion(try Self.open(path, listeners: count, existing: .refused, inputs: []))
        }
    }

    private static func open(
        _ path: String, listeners: Int, existing: OutputFile.Existing, inputs: [String]
    ) throws -> [MotionWriter.File] {
        try (0..<listeners).map { try MotionWriter.File(path: Self.path(path, listener: $0), existing: existing, inputs: inputs) }
    }

    /// Begins to record; completes a recording that is running first.
    ///
    /// - Parameters:
    ///   - existing: treatment of files that are there already.
    ///   - inputs: files that the program reads.
    /// - Throws: `MotionTrack.Failure`, with nothing begun, when a file cannot be made.
    package func begin(_ path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []) throws {
        try begin(path, Self.open(path, listeners: recorders.count, existing: existing, inputs: inputs))
    }

    private func begin(_ path: String, _ files: [MotionWriter.File]) throws {
        try end()
        for (recorder, file) in zip(recorders, files) { recorder.begin(MotionWriter(file)) }
        hub.publish(hub.tree.index(SessionParameter.motion), .text(path))
    }

    /// `motion.csv`, `motion-2.csv`, `motion-3.csv` and so on.
    private static func path(_ path: String, listener: Int) -> String {
        guard listener > 0 else { return path }
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().path + "-\(listener + 1)"
        return url.pathExtension.isEmpty ? name : name + "." + url.pathExtension
    }

    /// Takes the heads that the renderer has reported.
    func collect() {
        var isOver = false
        for recorder in recorders where !recorder.collect() { isOver = true }
        guard isOver else { return }
        endAndReport()
        hub.notice("the motion recording ended where the sound recording went back")
    }

    /// Completes the files, if any are being written.
    func end() throws {
        let index = hub.tree.index(SessionParameter.motion)
        guard let path = hub.value(index).text, !path.isEmpty else { return }
        hub.publish(index, .text(""))
        let counts = try recorders.map { try $0.end() }
        let count = counts.reduce(0, +)
        hub.notice("motion \(path): \(count) \(count == 1 ? "head" : "heads") written")
    }

    /// Completes the files; an error becomes a notice.
    func endAndReport() { do { try end() } catch { hub.notice("\(error)") } }
}
