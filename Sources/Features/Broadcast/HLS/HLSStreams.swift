internal import CRealtime
internal import Glibc
internal import Hub
internal import ListenerStreams
internal import Threads
internal import Trust

/// The HLS streams of all listeners: each begins with the first request, and ends some time after the last one. Used on the control thread.
final class HLSStreams {
    /// Seconds from the latest request to the end of a stream.
    private static let idle: UInt64 = 30
    /// Nanoseconds between two reports about lost sound.
    private static let reports: UInt64 = 60_000_000_000

    private let hub: Hub
    private let audio: AudioStreams
    private let threads: HLSThreads
    private var running: [Int: HLSStream] = [:]
    /// Time of the latest report about lost sound of each listener.
    private var reported: [Int: UInt64] = [:]
    /// The first number of the next run of each listener: numbers never go back while this program runs.
    private var numbers: [Int: Int] = [:]
    /// Totals of all streams since the start.
    private(set) var counts = HLSCounts()
    /// Number of streams that run.
    var count: Int { running.count }
    let settings: HLSSettings
    /// Called when the stream of a listener has something new, or has ended.
    var onChange: (_ listener: Int) -> Void = { _ in }

    init(_ settings: HLSSettings, hub: Hub, audio: AudioStreams, wake: @escaping @Sendable () -> Void) {
        self.settings = settings
        self.hub = hub
        self.audio = audio
        threads = HLSThreads(most: sysconf(Int32(_SC_NPROCESSORS_ONLN)), wake: wake)
    }

    /// The number of the listener with a name; nil for none.
    func number(_ name: String) -> Int? { audio.named(name) }

    /// Whether there is such a listener.
    func hasListener(_ listener: Int) -> Bool { audio[listener] != nil }

    /// Formats of a listener.
    func formats(_ listener: Int) -> [HLSFormat] { audio[listener].map { HLSFormat.possible(rate: $0.rate) } ?? [] }

    /// The stream of a listener, begun if necessary; nil when the largest number of streams is running.
    /// - Throws: ``ThreadError`` when the system allows no thread that encodes.
    func stream(_ listener: Int) throws(ThreadError) -> HLSStream? {
        if running[listener] == nil { try begin(listener) }
        running[listener]?.asked = rt_now()
        return running[listener]
    }

    /// The stream of a listener if it runs.
    subscript(listener: Int) -> HLSStream? {
        running[listener]?.asked = rt_now()
        return running[listener]
    }

    func playlist(_ listener: Int, _ format: HLSFormat) -> [UInt8]? { running[listener]?.playlist(format) }

    private func begin(_ listener: Int) throws(ThreadError) {
        guard running.count < settings.listeners, let source = audio[listener] else { return }
        let encoder = HLSEncoder(rate: source.rate, bitrate: settings.bitrate)
        try threads.add(encoder)
        // Numbers follow the clock, so that those of a new run are higher also after a restart of the program: at no rate is a segment
        // shorter than 1.6 s.
        let clock = Int(clamping: SoundInlet.now / 1.6)
        running[listener] = HLSStream(encoder, first: max(clock, numbers[listener] ?? 0), now: rt_now())
        source.fill(encoder.inlet)
    }

    private func end(_ listener: Int) {
        guard let stream = running.removeValue(forKey: listener) else { return }
        numbers[listener] = stream.present + 1
        audio.stop(listener, stream.encoder.inlet)
        threads.remove(stream.encoder)
        onChange(listener)
    }

    /// Takes what the encoders have made; called after a wake of the loop.
    func settle() {
        for listener in running.keys {
            let before = running[listener]?.renditions.mapValues(\.next)
            if let problem = running[listener]?.settle(&counts) {
                hub.complain("HLS of listener \(listener) has ended, because \(problem)")
                end(listener)
            } else if running[listener]?.renditions.mapValues(\.next) != before {
                onChange(listener)
            }
        }
    }

    /// Ends streams that are no longer requested, or whose listener is gone; called about once a second.
    func check(now: UInt64) {
        for (listener, stream) in running {
            // A machine that is always too busy gets one line a minute.
            if stream.lost > 0, now > (reported[listener] ?? 0) + Self.reports, let rate = audio[listener]?.rate {
                reported[listener] = now
                let lost = running[listener]?.takeLost() ?? 0
                hub.log(
                    "HLS of listener \(listener) has lost \(lost * 1000 / rate) ms of sound, because the machine was too busy; it was "
                        + "replaced by silence")
            }
            // Another listener may have got the number of one that is gone.
            let isGone = audio[listener]?.isFilling(stream.encoder.inlet) != true
            if isGone || now > stream.asked + Self.idle * 1_000_000_000 { end(listener) }
        }
    }
}

/// The running HLS stream of one listener. Used on the control thread.
struct HLSStream {
    let encoder: HLSEncoder
    /// Name of this run, which no other run has: its segments can be cached forever.
    let run = String(Secret.random().prefix(16))
    /// Number of the first segment.
    let first: Int
    private(set) var renditions: [HLSFormat: HLSRendition] = [:]
    /// Time of the latest request, CLOCK_MONOTONIC nanoseconds.
    var asked: UInt64
    /// Frames that were lost.
    private(set) var lost = 0

    init(_ encoder: HLSEncoder, first: Int, now: UInt64) {
        (self.encoder, self.first, asked) = (encoder, first, now)
    }

    /// Takes the encoder's output, and counts it.
    ///
    /// - Returns: the reason why the stream cannot continue; nil when it does.
    mutating func settle(_ counts: inout HLSCounts) -> String? {
        for fragment in encoder.take() {
            switch fragment {
            case .initialization(let format, let timing, let bytes):
                renditions[format] = HLSRendition(format, timing, initialization: bytes, first: first)
            case .part(let format, let part, let date):
                if renditions[format]?.add(part, date: date) == true { counts.segments += 1 }
                // The reports about the other formats change as well.
                for other in renditions.keys where other != format { renditions[other]?.playlist = nil }
            case .lost(let frames):
                lost += frames
                counts.lost += Double(frames) / Double(encoder.rate)
            case .failed(let reason): return reason
            }
        }
        return nil
    }

    /// The playlist of a format.
    mutating func playlist(_ format: HLSFormat) -> [UInt8]? {
        guard let rendition = renditions[format] else { return nil }
        if let made = rendition.playlist { return made }
        let others = HLSFormat.allCases.compactMap { $0 == format ? nil : renditions[$0] }
        let made = HLSPlaylist.media(rendition, run: run, first: first, others: others)
        renditions[format]?.playlist = made
        return made
    }

    /// Takes the frames that were lost since the last call.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    /// Number of the segment that is being made.
    var present: Int { renditions.values.map(\.present.number).max() ?? first }
}

/// Totals of all streams since the start.
struct HLSCounts {
    /// Segments of all formats.
    var segments = 0
    /// Seconds of sound.
    var lost = 0.0
}
