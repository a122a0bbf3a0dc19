import Foundation
import Hub
import Parameters
import Tracking

/// The recorder of heads: one file for each listener.
extension Engine {
    func connectMotion() {
        hub.onSet(tree.slot(SessionParameter.recordMotion)) { [unowned self] value, _ in try record(motion: value.text ?? "") }
        hub.onSet(tree.slot(SessionParameter.endMotion)) { [unowned self] _, _ in try endMotion() }
    }

    /// Begins to record; a recording that runs is completed first.
    /// - Throws: `MotionTrack.Failure`, with nothing begun, when a file cannot be made.
    func record(motion path: String) throws {
        try endMotion()
        let writers = try tapes.indices.map { try MotionWriter(path: Self.path(path, listener: $0)) }
        for (tape, writer) in zip(tapes, writers) { tape.begin(writer) }
        hub.publish(tree.slot(SessionParameter.motion), .text(path))
    }

    /// `motion.csv`, `motion-2.csv`, `motion-3.csv` and so on.
    private static func path(_ path: String, listener: Int) -> String {
        guard listener > 0 else { return path }
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().path + "-\(listener + 1)"
        return url.pathExtension.isEmpty ? name : name + "." + url.pathExtension
    }

    /// Takes what the renderer has reported.
    func collectMotion() {
        var isOver = false
        for tape in tapes where !tape.collect() { isOver = true }
        guard isOver else { return }
        do { try endMotion() } catch { hub.notice("\(error)") }
        hub.notice("the recording of the motion ended where the sound recording went back")
    }

    /// Completes the files, if any are being written.
    func endMotion() throws {
        let slot = tree.slot(SessionParameter.motion)
        guard let path = hub.value(slot).text, !path.isEmpty else { return }
        hub.publish(slot, .text(""))
        let counts = try tapes.map { try $0.end() }
        hub.notice("motion \(path): \(counts.reduce(0, +)) heads written")
    }
}
