import Crossing
package import FileOutput
import Foundation
import Hub
import Media
import Parameters
import Pose
import Render
import RenderInterface
import Synchronization
import Threads

/// Records the head poses of all listeners, one file per listener, which another thread writes.
package final class MotionRecorder {
    /// A recording that has ended: its files are complete, or failed.
    private struct Ended: Sendable {
        let path: String
        let count: Result<Int, MotionTrack.Failure>
    }

    private final class Reports: Sendable {
        let ended = Mutex<[Ended]>([])
    }

    /// Longest wait for the files at the end of the program, seconds.
    private static let patience = 10

    private let hub: Hub
    private let work = SerialWork(name: "motion")
    private let reports = Reports()
    /// Path of the recording that is running.
    private var running: String?
    private let files: MessageFiles
    private var recorders: [ListenerMotionRecorder]
    private let makeRecorder: (RenderConnections.Listener) -> ListenerMotionRecorder

    init(hub: Hub, lines: RenderConnections, playback: Playback, files: MessageFiles) {
        self.hub = hub
        self.files = files
        let makeRecorder = { (line: RenderConnections.Listener) in
            ListenerMotionRecorder(heads: line.heads.take(), gate: line.isRecorded.take()) { [unowned playback] in
                playback.frame(feed: $0, framesUsed: $1)
            }
        }
        self.makeRecorder = makeRecorder
        recorders = lines.listeners.map(makeRecorder)
    }

    func connect() {
        let recordMotion = hub.tree.index(SessionParameter.recordMotion)
        hub.onNeed(recordMotion, isReplaced: false) { [unowned self] value, _ in try files.write(opening(value)) }
        hub.onSet(recordMotion) { [unowned self] value, _ in
            guard case .motion(let opened) = try files.written(opening(value)) else { return }
            begin(try path(value), opened)
        }
        hub.onSet(hub.tree.index(SessionParameter.endMotion)) { [unowned self] _, _ in end() }
    }

    /// Indices of the present listeners.
    private var listeners: [Int] { recorders.indices.filter { hub.tree.isPresent[$0] } }

    /// Prepares to record a new listener. A running recording continues without it.
    func add(_ line: RenderConnections.Listener) { recorders.append(makeRecorder(line)) }

    private func path(_ value: ParameterValue) throws -> String {
        try files.clients.pathToWrite(value.text ?? "", .motion, ending: ".csv")
    }

    /// The job that opens the files at a path that a client names.
    private func opening(_ value: ParameterValue) throws -> FileWriting {
        let (path, listeners) = (try path(value), listeners)
        return FileWriting { [makeFolder = files.clients.maker(.motion)] in
            try makeFolder()
            return .motion(try Self.open(path, listeners: listeners, existing: .refused, inputs: []))
        }
    }

    private static func open(
        _ path: String, listeners: [Int], existing: OutputFile.Existing, inputs: [String]
    ) throws -> [Int: MotionWriter.File] {
        try listeners.reduce(into: [:]) {
            $0[$1] = try MotionWriter.File(path: Self.path(path, listener: $1), existing: existing, inputs: inputs)
        }
    }

    /// Begins to record, after completing the recording that is running, if any.
    ///
    /// - Parameters:
    ///   - existing: treatment of files that are there already.
    ///   - inputs: files that the program reads.
    /// - Throws: `MotionTrack.Failure`, with nothing begun, when a file cannot be made.
    package func begin(_ path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []) throws {
        begin(path, try Self.open(path, listeners: listeners, existing: existing, inputs: inputs))
    }

    private func begin(_ path: String, _ files: [Int: MotionWriter.File]) {
        end()
        for (listener, file) in files { recorders[listener].begin(MotionWriter(file) { [work] in work.add($0) }) }
        running = path
        hub.publish(hub.tree.index(SessionParameter.motion), .text(path))
    }

    /// `motion.csv`, `motion-2.csv`, `motion-3.csv` and so on.
    private static func path(_ path: String, listener: Int) -> String {
        guard listener > 0 else { return path }
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().path + "-\(listener + 1)"
        return url.pathExtension.isEmpty ? name : name + "." + url.pathExtension
    }

    /// Takes the head poses that the renderer has reported, and reports recordings that are complete.
    func collect() {
        settle()
        var isOver = false
        for recorder in recorders where !recorder.collect() { isOver = true }
        guard isOver else { return }
        end()
        hub.notice("the motion recording ended because playback jumped back")
    }

    /// Ends the recording that is running, if any. It is reported when its files are complete.
    private func end() {
        guard let path = running else { return }
        running = nil
        let endings = recorders.compactMap { $0.end() }
        work.add { [reports] in
            let count = Result { () throws(MotionTrack.Failure) in
                var count = 0
                for ending in endings { count += try ending.complete() }
                return count
            }
            reports.ended.withLock { $0.append(Ended(path: path, count: count)) }
        }
    }

    private func settle() {
        let ended = reports.ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        for one in ended {
            if running == nil { hub.publish(hub.tree.index(SessionParameter.motion), .text("")) }
            switch one.count {
            case .success(let count): hub.notice("motion \(one.path): \(count) \(count == 1 ? "head pose" : "head poses") written")
            case .failure(let error): hub.notice("\(error)")
            }
        }
    }

    /// Ends the recording that is running, and waits for its files.
    func stop() {
        let path = running
        end()
        if !work.finish(within: Double(Self.patience)) {
            hub.notice("motion \(path ?? ""): not complete after \(Self.patience) s; its poses so far are in the file ending in .part")
        }
        settle()
    }
}

/// Records one listener's head poses, as they are rendered, into a file.
final class ListenerMotionRecorder {
    private var heads: Ring<HeadStep>.Consumer
    private let gate: Switch.Control
    private var writer: MotionWriter?
    private let frame: (_ feed: Int64, _ framesUsed: Int64) -> Int64?
    /// Frame at which the first head pose was rendered, for motion without a sound recording.
    private var origin: Int64?

    /// - Parameters:
    ///   - gate: opened while the renderer is to report head poses.
    ///   - frame: frame of the recording for a place in a feed; nil for a feed of another recording.
    init(
        heads: consuming Ring<HeadStep>.Consumer, gate: consuming Switch.Control,
        frame: @escaping (_ feed: Int64, _ framesUsed: Int64) -> Int64?
    ) {
        self.heads = heads
        self.gate = gate
        self.frame = frame
    }

    func begin(_ writer: MotionWriter) {
        while heads.pop() != nil {}
        self.writer = writer
        origin = nil
        gate.set(true)
    }

    /// Takes the head poses that the renderer has reported.
    /// - Returns: false when playback jumped back, which ends the motion recording.
    func collect() -> Bool {
        while var step = heads.pop() {
            guard let position = position(step) else { continue }
            step.position = position
            writer?.add(step)
        }
        return writer?.isOver != true
    }

    /// The frame of the sound recording that a head pose applies to; without one, the number of frames since the first head pose.
    private func position(_ step: HeadStep) -> Int64? {
        if step.feed > 0 { return frame(step.feed, step.position) }
        let begin = origin ?? step.position
        origin = begin
        return step.position - begin
    }

    /// Ends the recording.
    /// - Returns: the work that completes the file; nil when nothing was being recorded.
    func end() -> MotionWriter.Ending? {
        gate.set(false)
        _ = collect()
        defer { writer = nil }
        return writer?.finish()
    }
}
