internal import CRealtime
public import Media
public import Render
internal import Synchronization

/// A device that renders into a sink as fast as possible, until the renderer is finished.
///
/// Waits for sound that is still being read instead of dropping out. Its clock counts frames: frame n is
/// rendered and heard n / rate seconds after ``origin``, so that timestamps are reproducible.
public final class FileDevice: AudioDevice {
    public let format: DeviceFormat
    /// Timestamp of frame 0, CLOCK_MONOTONIC nanoseconds.
    public let origin: UInt64
    public let channels: Int
    private let outputs: OutputRoutes
    private let limit: Int64?
    private let late: Int
    private let tail: Int
    private let makeSink: @Sendable () throws -> any FrameSink
    private let rendered = Atomic<Int64>(0)
    private let occupied = Flag()
    private let released = Flag()

    /// - Parameters:
    ///   - origin: the time of frame 0; nil for the present.
    ///   - frames: largest number of frames; nil to run until the renderer is finished.
    ///   - late: latency of the renderer, frames; as many are left out at the beginning.
    ///   - tail: frames that are rendered after the end; nil for `late`.
    ///   - awaitsRelease: whether the first block waits for ``release()``.
    ///   - outputs: the channels of the sink that listeners are played on; nil for the first listener in stereo.
    ///   - sink: makes the sink when a run starts.
    public init(
        _ format: DeviceFormat, origin: UInt64? = nil, frames: Int64? = nil, late: Int = 0, tail: Int? = nil, awaitsRelease: Bool = false,
        outputs: OutputRoutes? = nil, sink: @escaping @Sendable () throws -> any FrameSink
    ) {
        self.format = format
        self.origin = origin ?? rt_now()
        limit = frames
        (self.late, self.tail) = (late, tail ?? late)
        self.outputs = outputs ?? OutputRoutes(listeners: 1)
        channels = self.outputs.channels
        makeSink = sink
        if !awaitsRelease { released.raise() }
    }

    public func release() { released.raise() }

    /// Frames written since the start of the run. Thread-safe.
    public var progress: Int64 { rendered.load(ordering: .relaxed) }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try start(in: holder, beforeBlock: nil, onEnd: onEnd)
    }

    /// Starts a run as ``start(in:onEnd:)`` does.
    ///
    /// - Parameter beforeBlock: called on the device's thread before each block, with its first frame.
    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, beforeBlock: (@Sendable (Int64) -> Void)?,
        onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let sink = SinkBox(try openSink())
        return try DeviceRun(
            in: holder, name: "audio file", live: false, occupied: occupied,
            loop: { [self] renderer, stopping in
                do throws(DeviceError) {
                    try render(renderer, to: sink.value, beforeBlock: beforeBlock, unless: stopping)
                    return nil
                } catch {
                    return error
                }
            }, onEnd: onEnd)
    }

    /// Renders on the calling thread, on which denormals are flushed from then on, and returns the renderer.
    ///
    /// - Parameter beforeBlock: called before each block, with its first frame.
    public func run<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, beforeBlock: ((Int64) -> Void)? = nil
    ) throws(DeviceError) -> Renderer {
        let holder = RendererHolder(renderer)
        let sink = try openSink()
        guard occupied.raise() else { throw DeviceError("The file is already being rendered; wait for it to finish.") }
        defer { occupied.lower() }
        realtime_flush_denormals()
        try render(holder.pointer, to: sink, beforeBlock: beforeBlock, unless: Flag())
        _ = holder.claim()
        return holder.pointer.move()
    }

    private func openSink() throws(DeviceError) -> any FrameSink {
        do { return try makeSink() } catch { throw DeviceError("\(error)") }
    }

    /// Renders into the sink; when stopped, completes the file with the sound so far.
    private func render<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: UnsafeMutablePointer<Renderer>, to sink: any FrameSink, beforeBlock: ((Int64) -> Void)?,
        unless stopping: Flag
    ) throws(DeviceError) {
        let ears = EarBuffers(frames: format.period, listeners: min(outputs.listeners, renderer.pointee.wiredListeners))
        var mixer = OutputMixer(outputs, channels: channels, frames: format.period)
        var samples = Interleaver(.float, channels: channels, frames: format.period)
        let grid = BlockGrid(start: origin, format: format)
        var done: Int64 = 0
        var (skip, rest) = (late, tail)
        rendered.store(0, ordering: .relaxed)
        do {
            while !stopping.isRaised {
                guard released.isRaised else {
                    realtime_sleep_until(rt_now() + 200_000)
                    continue
                }
                let isOver = renderer.pointee.isFinished || rest < tail
                let left = isOver ? 0 : (limit ?? .max) - done
                let frames = Int(min(Int64(format.period), left > 0 ? left : Int64(rest)))
                guard frames > 0 else { break }
                guard left <= 0 || renderer.pointee.isReady else {
                    realtime_sleep_until(rt_now() + 200_000)
                    continue
                }
                beforeBlock?(done)
                let time = grid.time(ofFrame: UInt64(done))
                ears.render(renderer, frames: frames, at: BlockTime(begin: time, output: time))
                mixer.fill(from: ears, frames: frames)
                mixer.interleave(into: &samples, frames: frames)
                let first = min(skip, frames)
                skip -= first
                let kept = samples.bytes.assumingMemoryBound(to: Float.self) + channels * first
                if first < frames { try sink.write(kept, frames: frames - first) }
                done += Int64(frames)
                if left <= 0 { rest -= frames }
                rendered.store(done, ordering: .relaxed)
            }
            try sink.finish()
        } catch {
            throw DeviceError("\(error)")
        }
    }

    /// Box that moves a sink to the thread that uses it.
    // SAFETY: made for one run; only that run's thread uses it after the thread's start.
    private final class SinkBox: @unchecked Sendable {
        let value: any FrameSink
        init(_ value: any FrameSink) { self.value = value }
    }
}

/// Destination of the sound of a ``FileDevice``. Used by one thread at a time, which may wait for the disk.
public protocol FrameSink: AnyObject {
    /// - Parameter interleaved: `frames` frames of as many channels as the device has.
    func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws

    /// Completes the output; called once, after the last frame. If it is not called, no output should remain.
    func finish() throws
}

extension SoundWriter: FrameSink {}
extension MeasuredWriter: FrameSink {}
