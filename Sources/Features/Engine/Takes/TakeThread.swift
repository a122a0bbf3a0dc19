import CRealtime
import Crossing
import FileOutput
import Media
import Render
import RenderInterface

/// The work of the takes thread: keeps the latest seconds of all sources, and writes takes.
struct TakeThread: ~Copyable {
    enum Command: Sendable {
        /// Sources and their channels; the capacity of the memory of each, frames; the number of frames that are always kept; and whether
        /// memory of another size is replaced.
        case arm([TakeSource: Int], capacity: Int, keep: Int, isResized: Bool)
        case start(TakeRequest)
        /// Ends the take at a sample of the engine; nil for all that there is.
        case stop(Int64?)
    }

    /// Nanoseconds between two moments at which the files are synchronised to the disk.
    private static let syncInterval: UInt64 = 500_000_000
    /// Nanoseconds between checks of the free space.
    private static let lookInterval: UInt64 = 1_000_000_000

    /// Nanoseconds that the end of a take waits for the workers that render network listeners.
    private static let patience: UInt64 = 250_000_000
    /// Nanoseconds that the beginning of a take waits for sources that have had no sound yet.
    private static let longestStart: UInt64 = 1_000_000_000

    private let taps: TakeTapLines
    private var log: TakeMotionLog
    private let folder: TakeFolder
    private let rate: Int
    private let hook: @Sendable () -> Void
    private var inlets: [TakeInlet] = []
    private var keep = 0
    /// A take that waits for its sources, and until when, CLOCK_MONOTONIC nanoseconds.
    private var waiting: (request: TakeRequest, until: UInt64)?
    private var recording: TakeRecording?
    /// Time until which the take that is stopped waits for its last frames, CLOCK_MONOTONIC nanoseconds; nil while none is stopped.
    private var ending: UInt64?
    private var lastSync: UInt64 = 0
    private var lastLook: UInt64 = 0
    private(set) var state = TakeState()

    /// - Parameter hook: called before every piece of sound is written.
    init(_ lines: TakeConnections, folder: TakeFolder, rate: Int, hook: @escaping @Sendable () -> Void) {
        taps = TakeTapLines(lines)
        log = TakeMotionLog(lines)
        self.folder = folder
        self.rate = rate
        self.hook = hook
    }

    mutating func follow(_ command: Command) {
        switch command {
        case .arm(let sources, let capacity, let keep, let isResized):
            arm(sources, capacity: capacity, keep: keep, isResized: isResized)
        case .start(let request):
            state.problem = ""
            waiting = (request, rt_now() + Self.longestStart)
        case .stop(let sample):
            startWaiting(now: .max)
            guard let sample else { return stop(reason: nil) }
            guard let recording else { return }
            recording.close(at: sample)
            ending = rt_now() + Self.patience
        }
    }

    // MARK: Sources

    /// Makes the memory of new sources, and frees that of former ones. Sources that stay keep their sound, so that a visitor who comes or
    /// goes does not erase the past of others; those with memory of another size restart if the whole would exceed the limit by more than a
    /// half.
    private mutating func arm(_ sources: [TakeSource: Int], capacity: Int, keep: Int, isResized: Bool) {
        self.keep = keep
        // Before the sound, so that the head pose of every frame is known.
        taps.followMotion(of: sources.keys)
        let staying = inlets.filter { sources[$0.source] == $0.channels }
        let new = sources.values.reduce(0, +) - staying.reduce(0) { $0 + $1.channels }
        let samples = staying.reduce(new * capacity) { $0 + $1.capacity * $1.channels }
        let isSameSize = isResized || samples > TakeSources.mostSamples + TakeSources.mostSamples / 2
        inlets.removeAll { inlet in
            let isUsable = sources[inlet.source] == inlet.channels && (!isSameSize || inlet.capacity == capacity)
            if isUsable { return false }
            if sources[inlet.source] == nil { _ = taps.send(.none(inlet.source), of: inlet.source) }
            return true
        }
        for (source, channels) in sources where !inlets.contains(where: { $0.source == source }) {
            let pair = TakeTap.pair(source, channels: channels, capacity: capacity)
            guard taps.send(pair.tap, of: source) else { continue }
            inlets.append(TakeInlet(source, channels: channels, capacity: capacity, pair.outlet))
        }
        inlets.sort { $0.source.place < $1.source.place }
    }

    /// Bytes per second of all sources together.
    private var bytesPerSecond: Int64 { Int64(inlets.reduce(0) { $0 + $1.channels }) * 4 * Int64(rate) }

    // MARK: Takes

    /// Starts the take that waits once each source has had sound: one that was chosen a moment ago would begin with silence.
    private mutating func startWaiting(now: UInt64) {
        guard let waiting, now > waiting.until || inlets.allSatisfy({ $0.hasBegun || $0.run() > 0 }) else { return }
        self.waiting = nil
        start(waiting.request)
    }

    private mutating func start(_ request: TakeRequest) {
        log.collect()
        do {
            // The ears first, then the rest.
            let sorted = inlets.filter { $0.source.listener != nil } + inlets.filter { $0.source.listener == nil }
            recording = try TakeRecording(request, sorted, &log, hook: hook)
            state.take = recording?.name
            (state.frames, state.lost) = (0, 0)
        } catch {
            fail("the take was not started: \(error)")
        }
        state.changes += 1
    }

    private mutating func stop(reason: String?) {
        guard let recording else { return }
        log.collect()
        var reason = reason
        do { try recording.end(inlets, &log) } catch { reason = reason ?? "\(error)" }
        end(recording, reason)
    }

    private mutating func end(_ recording: TakeRecording, _ reason: String?) {
        let problems = recording.finish(reason)
        (state.frames, state.lost) = (recording.frames, recording.lost)
        self.recording = nil
        ending = nil
        (state.take, state.last) = (nil, recording.name)
        state.changes += 1
        if let reason { fail("the take \(recording.name) was stopped: \(reason)") }
        for problem in problems { fail("the take \(recording.name) is not complete: \(problem)") }
    }

    private mutating func fail(_ text: String) {
        state.problem = text
        state.notices.append(text)
    }

    /// Runs one turn of the thread, about twenty times a second.
    mutating func turn(now: UInt64) {
        log.collect()
        taps.collect()
        look(now: now)
        startWaiting(now: now)
        guard let recording else { return trim() }
        do {
            try recording.drain(inlets, &log)
            let isSynced = now - lastSync >= Self.syncInterval
            try recording.update(isSynced: isSynced)
            if isSynced { lastSync = now }
            (state.frames, state.lost) = (recording.frames, recording.lost)
        } catch {
            return end(recording, "\(error)")
        }
        // The workers are a few milliseconds behind the audio thread.
        if let ending, now > ending || recording.hasAll(inlets.filter { taps.isLater($0.source) }.map(\.source)) { stop(reason: nil) }
    }

    /// Keeps the latest seconds only.
    private mutating func trim() {
        let newest = inlets.filter(\.hasBegun).map(\.end).max() ?? 0
        let reserve = Int(clamping: TakeSources.patience * Double(rate))
        for inlet in inlets { inlet.trim(to: min(keep, inlet.capacity - reserve), newest: newest) }
        // Sources that have fallen silent keep nothing.
        let present = inlets.filter { !$0.hasBegun || $0.available > 0 }
        state.kept = Int64(present.map(\.available).min() ?? 0)
        let oldest = present.filter(\.hasBegun).map(\.sample).min()
        if let oldest { log.trim(before: oldest) }
    }

    /// Checks the free space, and stops a take before the disk is full.
    private mutating func look(now: UInt64) {
        guard now - lastLook >= (recording == nil ? Self.lookInterval : Self.lookInterval / 10) else { return }
        lastLook = now
        // A reserve for the descriptions of the takes and for the sound that is on its way.
        let free = FreeSpace.bytes(in: folder.path).map { $0 - (1 << 20) - bytesPerSecond }
        state.remaining = free.flatMap { bytesPerSecond > 0 ? max(0, Double($0) / Double(bytesPerSecond)) : nil }
        if recording != nil, let free, free <= 0 { stop(reason: "the disk is full") }
    }

    /// Hands over the messages for the log.
    mutating func takeNotices() -> [String] {
        defer { state.notices = [] }
        return state.notices
    }
}

/// State of the takes thread, for the control thread.
struct TakeState: Sendable {
    /// Name of the take that is being recorded; nil for none.
    var take: String?
    /// Name of the take that ended last.
    var last: String?
    /// Frames so far.
    var frames: Int64 = 0
    /// Frames of every source that are in memory.
    var kept: Int64 = 0
    /// Frames missing in the take.
    var lost: Int64 = 0
    /// Seconds for which the disk has room; nil when that is unknown.
    var remaining: Double?
    /// Reason why the last take ended early; empty for no problem.
    var problem = ""
    /// Incremented with every change of the list of takes.
    var changes = 0
    /// Messages for the log.
    var notices: [String] = []
}
