internal import CRealtime
public import Render
internal import Synchronization

/// Renders as fast as the machine can, into a sink of two channels, until the renderer is finished.
///
/// Waits for sound that is still being read rather than leaving it out. Its clock is made of frames: frame n
/// is rendered and heard n / rate seconds after ``origin``, so that two runs stamp alike.
public final class FileDevice: AudioDevice {
    public let format: DeviceFormat
    /// CLOCK_MONOTONIC nanoseconds that frame 0 is stamped with.
    public let origin: UInt64
    private let limit: Int64?
    private let makeSink: @Sendable () throws -> any FrameSink
    private let rendered = Atomic<Int64>(0)
    private let occupied = Flag()

    /// - Parameters:
    ///   - origin: what frame 0 is stamped with; nil is now.
    ///   - frames: where to end at the latest; nil is when the renderer is finished.
    ///   - sink: makes the sink when a run starts.
    public init(
        _ format: DeviceFormat, origin: UInt64? = nil, frames: Int64? = nil,
        sink: @escaping @Sendable () throws -> any FrameSink
    ) {
        self.format = format
        self.origin = origin ?? rt_now()
        limit = frames
        makeSink = sink
    }

    /// Frames written since the start of the run; for any thread.
    public var progress: Int64 { rendered.load(ordering: .relaxed) }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try start(renderer, beforeBlock: nil, onEnd: onEnd)
    }

    /// As above.
    ///
    /// - Parameter beforeBlock: called on the device's thread before each block, with its first frame.
    public func start<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, beforeBlock: (@Sendable (Int64) -> Void)?,
        onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let sink = Courier(try openSink())
        return try DeviceRun(
            renderer, name: "audio file", live: false, occupied: occupied,
            loop: { [self] renderer, stopping in
                do throws(DeviceError) {
                    try render(renderer, to: sink.value, beforeBlock: beforeBlock, unless: stopping)
                    return nil
                } catch {
                    return error
                }
            }, onEnd: onEnd)
    }

    /// Renders on the calling thread, whose denormals are flushed from then on, and gives the renderer back.
    ///
    /// - Parameter beforeBlock: called before each block, with its first frame.
    public func run<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: consuming Renderer, beforeBlock: ((Int64) -> Void)? = nil
    ) throws(DeviceError) -> Renderer {
        let slot = RendererSlot(renderer)
        let sink = try openSink()
        guard occupied.raise() else { throw DeviceError("The file is being rendered already.") }
        defer { occupied.lower() }
        realtime_flush_denormals()
        try render(slot.pointer, to: sink, beforeBlock: beforeBlock, unless: Flag())
        slot.release()
        return slot.take()!
    }

    private func openSink() throws(DeviceError) -> any FrameSink {
        do { return try makeSink() } catch { throw DeviceError("\(error)") }
    }

    /// Told to stop, it completes the file with what there is.
    private func render<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: UnsafeMutablePointer<Renderer>, to sink: any FrameSink, beforeBlock: ((Int64) -> Void)?,
        unless stopping: Flag
    ) throws(DeviceError) {
        let ears = EarBuffers(frames: format.period)
        var samples = Interleaver(.float, frames: format.period)
        let grid = BlockGrid(start: origin, format: format)
        var done: Int64 = 0
        rendered.store(0, ordering: .relaxed)
        do {
            while !stopping.isRaised, !renderer.pointee.isFinished {
                let frames = Int(min(Int64(format.period), (limit ?? .max) - done))
                guard frames > 0 else { break }
                guard renderer.pointee.isReady else {
                    realtime_sleep_until(rt_now() + 200_000)
                    continue
                }
                beforeBlock?(done)
                let time = grid.time(ofFrame: UInt64(done))
                ears.render(renderer, frames: frames, at: BlockTime(begin: time, output: time))
                samples.fill(from: ears, frames: frames)
                try sink.write(samples.bytes.assumingMemoryBound(to: Float.self), frames: frames)
                done += Int64(frames)
                rendered.store(done, ordering: .relaxed)
            }
            try sink.finish()
        } catch {
            throw DeviceError("\(error)")
        }
    }

    /// Carries a sink to the thread that uses it.
    // SAFETY: made for one run; only the thread of that run touches it after the thread's start.
    private final class Courier: @unchecked Sendable {
        let value: any FrameSink
        init(_ value: any FrameSink) { self.value = value }
    }
}
