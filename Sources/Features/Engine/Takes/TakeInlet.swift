import Crossing
import Render
import RenderInterface

/// One source of takes: the frames that the renderer has written, each with the sample of the engine at which it was rendered.
// SAFETY: made and used on the takes thread alone.
final class TakeInlet: @unchecked Sendable {
    let source: TakeSource
    /// Samples per frame.
    let channels: Int
    /// Capacity of the memory in frames.
    let capacity: Int
    private var outlet: TakeTap.Outlet
    /// Maximum number of waiting marks: the capacity less about fifty, which arrive between two turns.
    private static let mostMarks = 200
    private var coming: TakeMark?
    private var index: Int64 = 0
    /// Sample of the engine at which the next frame was rendered; valid once ``run()`` is above 0.
    private(set) var sample: Int64 = 0
    /// Whether anything has ever been read or can be read.
    private(set) var hasBegun = false

    init(_ source: TakeSource, channels: Int, capacity: Int, _ outlet: consuming TakeTap.Outlet) {
        (self.source, self.channels, self.capacity) = (source, channels, capacity)
        self.outlet = outlet
    }

    /// Number of contiguous frames that can be read now.
    func run() -> Int {
        // A mark is pushed before the frames to which it belongs, so the marks of all frames counted here are available.
        let available = outlet.frames.available
        guard available > 0 else { return 0 }
        hasBegun = true
        while true {
            if coming == nil { coming = outlet.marks.pop() }
            guard let mark = coming, mark.index == index else { break }
            (sample, coming) = (mark.sample, nil)
        }
        return coming.map { min(available, Int($0.index - index)) } ?? available
    }

    /// Frames in memory.
    var available: Int { outlet.frames.available }

    func skip(_ frames: Int) {
        outlet.frames.skip(frames)
        advance(frames)
    }

    func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = outlet.frames.read(target, frames: frames)
        advance(count)
        return count
    }

    private func advance(_ frames: Int) {
        index += Int64(frames)
        sample += Int64(frames)
    }

    /// Sample of the engine after the frames in memory, or an earlier one if these are not contiguous.
    var end: Int64 { run() > 0 ? sample + Int64(available) : sample }

    /// Drops all but the latest `frames`, also frames that were rendered more than `frames` before the newest sample of all sources, and
    /// the oldest pieces while marks are short: the renderer writes nothing without one.
    func trim(to frames: Int, newest: Int64) {
        while true {
            let (available, part) = (outlet.frames.available, run())
            guard part > 0 else { return }
            if available > frames {
                skip(min(available - frames, part))
            } else if sample + Int64(part) <= newest - Int64(frames) || outlet.marks.count > Self.mostMarks {
                skip(part)
            } else {
                return
            }
        }
    }
}

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
