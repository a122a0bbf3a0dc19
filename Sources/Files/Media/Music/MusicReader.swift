internal import CRealtime
public import Crossing
internal import Dispatch
internal import Synchronization
internal import Threads

/// Reads one source of music ahead, on its own thread, and connects again when the connection is lost.
public final class MusicReader: Sendable {
    public enum Source: Sendable {
        /// An http:// or https:// address.
        case address(String)
        /// A sound file; the function finds it, on the thread that reads.
        case file(@Sendable () throws(MediaError) -> String)

        /// Whether a text that names a source is an address instead of a name.
        public static func isAddress(_ text: String) -> Bool { text.contains("://") }
    }

    public enum Phase: Sendable { case connecting, receiving, failed, ended }

    /// State of the thread.
    public struct Reading: Sendable {
        public var phase = Phase.connecting
        public var title = ""
        /// Reason of the last failure; empty once it is over.
        public var problem = ""
        /// Times that the connection was lost.
        public var losses = 0
        /// Frames that were read and not yet played.
        public var filled = 0

        /// The state of a new thread.
        public init() {}
    }

    private struct State {
        var reading = Reading()
        var loops: Bool
        var isEnded = false
    }

    private let state: Mutex<State>
    private let source: any MusicSource
    private let report: @Sendable (String) -> Void
    private let wake = DispatchSemaphore(value: 0)

    private static let chunk = 1024
    /// Seconds until the first try to connect again, and the longest; it doubles in between.
    private static let delays = 0.5...15.0

    /// - Parameters:
    ///   - rate: frames per second of the music as delivered.
    ///   - loops: whether a source that has an end starts again after it.
    ///   - report: called on the reading thread with each fault of the source, once, when a file was read to its end or reading ends.
    ///   - deliver: called once, on the calling thread, with the consumer of the stereo frames.
    public init(
        _ source: Source, rate: Int, loops: Bool, report: @escaping @Sendable (String) -> Void,
        deliver: (consuming FrameRing.Consumer) -> Void
    ) {
        self.report = report
        state = Mutex(State(loops: loops))
        self.source =
            switch source {
            case .address(let address): RadioStream(address: address, rate: rate)
            case .file(let path): MusicFile(path: path, rate: rate)
            }
        // Eleven seconds at 48 kHz.
        let ring = FrameRing(channels: 2, capacity: 1 << 19)
        let producer = Parcel(ring.producer)
        deliver(ring.consumer)
        do throws(ThreadError) {
            _ = try ProgramThread("music") { [self] in
                var producer = producer.take()
                run(&producer)
                producer.end()
            }
        } catch {
            note { ($0.phase, $0.problem) = (.failed, "\(error)") }
            let producer = producer.take()
            producer.end()
        }
    }

    public var reading: Reading { state.withLock { $0.reading } }

    public func loop(_ isOn: Bool) { state.withLock { $0.loops = isOn } }

    /// Requests the end of the thread, and returns at once.
    public func end() {
        state.withLock { $0.isEnded = true }
        source.cancel()
        wake.signal()
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    private func note(_ change: (inout Reading) -> Void) { state.withLock { change(&$0.reading) } }

    private func run(_ producer: inout FrameRing.Producer) {
        let chunk = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.chunk)
        defer { chunk.deallocate() }
        var delay = Self.delays.lowerBound
        var reported: [String] = []
        while !isEnded {
            do throws(MusicProblem) {
                note { $0.phase = .connecting }
                try source.open()
                defer {
                    // Each repetition of a loop finds the same faults.
                    let new = source.warnings.filter { !reported.contains($0) }
                    new.forEach(report)
                    reported += new
                }
                var isEmpty = true
                while try pass(chunk, &producer) { (isEmpty, delay) = (false, Self.delays.lowerBound) }
                guard !isEmpty || isEnded || source.isEndless else { throw MusicProblem(text: "it contains no sound", isLasting: true) }
                guard !isEnded, source.isEndless || state.withLock({ $0.loops }) else { break }
                guard source.isEndless else { continue }
                throw MusicProblem(text: "the connection ended", isLasting: false)
            } catch {
                guard !isEnded else { break }
                note {
                    $0.problem = error.text
                    $0.phase = error.isLasting ? .failed : .connecting
                    if !error.isLasting { $0.losses += 1 }
                }
                guard !error.isLasting else { return }
                pause(delay, producer)
                delay = min(2 * delay, Self.delays.upperBound)
            }
        }
        note { $0.phase = .ended }
    }

    /// Passes a part of the music on.
    /// - Returns: false at the end of the source.
    private func pass(_ chunk: UnsafeMutablePointer<Float>, _ producer: inout FrameRing.Producer) throws(MusicProblem) -> Bool {
        let count = try source.read(into: chunk, frames: Self.chunk)
        guard count > 0 else { return false }
        // Samples from a network may be infinite or NaN.
        _ = rt_limit_samples(chunk, 2 * count)
        let title = StationTitle.line(source.title)
        let filled = producer.filled
        note {
            $0.phase = .receiving
            $0.problem = ""
            if $0.title != title { $0.title = title }
            $0.filled = filled
        }
        while producer.free < count, !isEnded { pause(0.02, producer) }
        _ = producer.write(chunk, frames: count)
        return !isEnded
    }

    /// Waits, unless the end is requested; the buffered music is played meanwhile.
    private func pause(_ seconds: Double, _ producer: borrowing FrameRing.Producer) {
        let end = rt_now() &+ UInt64(clamping: seconds * 1e9)
        repeat {
            let filled = producer.filled
            note { $0.filled = filled }
            if wake.wait(timeout: .now() + .milliseconds(20)) == .success || isEnded { return }
        } while rt_now() < end
    }
}
