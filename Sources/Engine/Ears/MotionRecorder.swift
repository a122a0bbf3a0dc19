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
    private let files: ClientFiles
    private let recorders: [ListenerMotionRecorder]

    init(hub: Hub, lines: RenderConnections, files: ClientFiles) {
        self.hub = hub
        self.files = files
        recorders = lines.listeners.map { ListenerMotionRecorder(heads: $0.heads.take(), gate: $0.isRecorded.take()) }
    }

    func connect() {
        hub.onSet(hub.tree.index(SessionParameter.recordMotion)) { [unowned self] value, _ in
            let path = try files.path(value.text ?? "", .motion, ending: ".csv")
            try files.make(.motion)
            try begin(path)
        }
        hub.onSet(hub.tree.index(SessionParameter.endMotion)) { [unowned self] _, _ in try end() }
    }

    /// Begins to record; completes a recording that is running first.
    ///
    /// - Parameters:
    ///   - existing: treatment of files that are there already.
    ///   - inputs: files that the program reads.
    /// - Throws: `MotionTrack.Failure`, with nothing begun, when a file cannot be made.
    package func begin(_ path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []) throws {
        try end()
        let writers = try recorders.indices.map {
            try MotionWriter(path: Self.path(path, listener: $0), existing: existing, inputs: inputs)
        }
        for (recorder, writer) in zip(recorders, writers) { recorder.begin(writer) }
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
        hub.notice("motion \(path): \(counts.reduce(0, +)) heads written")
    }

    /// Completes the files; an error becomes a notice.
    func endAndReport() { do { try end() } catch { hub.notice("\(error)") } }
}
