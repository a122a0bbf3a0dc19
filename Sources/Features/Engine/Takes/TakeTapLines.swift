import Crossing
import Render
import RenderInterface

/// The takes thread's ends of the taps of all renderers: the audio thread's, and those of the workers of network listeners.
final class TakeTapLines {
    private final class Line {
        private var taps: Handover<TakeTap>.Control
        let isMotionWanted: Switch.Control

        init(_ taps: consuming Handover<TakeTap>.Control, isMotionWanted: consuming Switch.Control) {
            self.taps = taps
            self.isMotionWanted = isMotionWanted
        }

        func send(_ tap: consuming TakeTap) -> Bool { taps.send(tap) }

        func collect() { taps.collect() }
    }

    private let audio: Line
    private let workers: [Line]
    private let worker: (TakeSource) -> Int?

    init(_ connections: TakeConnections) {
        audio = Line(connections.taps.take(), isMotionWanted: connections.isMotionWanted.take())
        workers = connections.workers.map { Line($0.taps.take(), isMotionWanted: $0.isMotionWanted.take()) }
        worker = { connections.worker(of: $0) }
    }

    /// Whether a worker renders a source: its sound arrives a few milliseconds after that of the audio thread.
    func isLater(_ source: TakeSource) -> Bool { worker(source) != nil }

    /// Hands a tap to the renderer of its source.
    /// - Returns: false when its queue is full.
    func send(_ tap: consuming TakeTap, of source: TakeSource) -> Bool { (worker(source).map { workers[$0] } ?? audio).send(tap) }

    /// Lets the renderers of these sources report the motion of heads; the audio thread reports that of all wired listeners and of objects.
    func followMotion(of sources: some Collection<TakeSource>) {
        audio.isMotionWanted.set(!sources.isEmpty)
        let wanted = Set(sources.compactMap(worker))
        for (number, line) in workers.enumerated() { line.isMotionWanted.set(wanted.contains(number)) }
    }

    /// Frees memory that the renderers have returned.
    func collect() {
        audio.collect()
        for line in workers { line.collect() }
    }
}
