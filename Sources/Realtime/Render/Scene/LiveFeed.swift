public import Crossing

/// Keeps a feed that is a live microphone array in step with its converter.
public struct LiveFeed: ~Copyable, Sendable {
    /// Frames left in the ring after the first block that is read, and after every interruption; an interruption doubles them.
    private var reserve: Int
    /// Receives the blocks that the renderer's own device has recorded.
    private var inlet: FrameRing.Producer?
    private var stamps: Latest<LiveStamp>.Reader?
    private var readings: Latest<LiveReading>.Writer?
    /// Time of the first frame of the device's newest block, CLOCK_MONOTONIC nanoseconds.
    private var recorded: UInt64 = 0
    /// Frames taken out of the ring so far.
    private var used: Int64 = 0
    /// Whether nothing is read until enough frames have arrived.
    private var isWaiting = true

    /// Number of frames beyond the reserve above which a feed with its own clock skips frames: 43 ms at 48 kHz.
    private static var mostSurplus: Int { @_noLocks @_noAllocation get { 2048 } }

    /// Largest reserve: 21 ms at 48 kHz.
    private static var mostReserve: Int { @_noLocks @_noAllocation get { 1024 } }

    /// A feed that another thread fills ahead of time, such as a file in place of a converter.
    public init() { reserve = 0 }

    /// A feed of the blocks that the renderer's device records together with playing.
    public init(inlet: consuming FrameRing.Producer) {
        reserve = 0
        self.inlet = consume inlet
    }

    /// A feed from a device with its own clock.
    ///
    /// - Parameters:
    ///   - reserve: frames left in the ring after the first block that is read; it grows when they were too few.
    ///   - stamps: a frame of the feed, and the time at which it was at the converter.
    ///   - readings: receives the number of frames used so far, and the time at which the renderer had used them.
    public init(reserve: Int, stamps: consuming Latest<LiveStamp>.Reader, readings: consuming Latest<LiveReading>.Writer) {
        self.reserve = reserve
        self.stamps = consume stamps
        self.readings = consume readings
    }

    /// Takes a block of the device; it replaces any block that was not used.
    @_noLocks @_noAllocation
    mutating func take(
        _ frames: inout FrameRing.Consumer, _ samples: UnsafePointer<Float>, channels: Int, count: Int, from time: UInt64
    ) {
        guard channels == frames.channels else { return }
        frames.skip(frames.available)
        _ = inlet?.write(samples, frames: count)
        recorded = time
    }

    /// Whether the next block has to wait: too few frames have arrived, or so many that some have to be left out.
    ///
    /// - Parameter isSilent: whether frames can be left out without a click.
    @_noLocks @_noAllocation
    mutating func waits(_ frames: inout FrameRing.Consumer, for count: Int, isSilent: Bool) -> Bool {
        let available = frames.available
        if isWaiting {
            guard isSilent, available >= count &+ reserve else { return true }
            if stamps != nil { skip(&frames, available &- count &- reserve) }
            isWaiting = false
        } else if available < count {
            isWaiting = true
            reserve = max(reserve, min(2 &* reserve, Self.mostReserve))
        } else if stamps != nil, available > count &+ reserve &+ Self.mostSurplus {
            isWaiting = true
        }
        return isWaiting
    }

    /// Drops frames: sound that is not heard still passes.
    @_noLocks @_noAllocation
    mutating func skip(_ frames: inout FrameRing.Consumer, _ count: Int) {
        let count = min(max(0, count), frames.available)
        frames.skip(count)
        used &+= Int64(count)
    }

    @_noLocks @_noAllocation
    mutating func noteRead(_ count: Int) { used &+= Int64(count) }

    /// Reports what was used, and returns the time at which the first frame of the block that was just read was at the converter; 0
    /// while the feed waits.
    @_noLocks @_noAllocation
    mutating func captured(_ count: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        guard !isWaiting else { return 0 }
        if stamps == nil {
            // A file stands for a converter that has just recorded a block.
            return inlet != nil ? recorded : begin &- min(begin, UInt64(clamping: Float(count) * nanosecondsPerSample))
        }
        readings?.publish(LiveReading(frame: used, time: begin, reserve: reserve))
        guard let stamp = stamps?.read(), stamp.time > 0 else { return 0 }
        let age = Float(stamp.frame &- used &+ Int64(count)) * nanosecondsPerSample
        return UInt64(clamping: Int64(clamping: stamp.time) &- Int64(clamping: age))
    }
}

/// Place of the renderer in a live array.
public struct LiveReading: BitwiseCopyable, Sendable {
    /// Frames used so far.
    public var frame: Int64
    /// CLOCK_MONOTONIC nanoseconds at which they had been used; 0 before the first.
    public var time: UInt64
    /// Frames to keep in the ring beyond those that are needed, as a reserve against late threads.
    public var reserve: Int

    @_noLocks @_noAllocation
    public init(frame: Int64, time: UInt64, reserve: Int) {
        self.frame = frame
        self.time = time
        self.reserve = reserve
    }
}

/// A frame of a live array, counted from the feed's first, and the time at which it was at the converter.
public struct LiveStamp: BitwiseCopyable, Sendable {
    public var frame: Int64
    /// CLOCK_MONOTONIC nanoseconds; 0 before the first.
    public var time: UInt64

    @_noLocks @_noAllocation
    public init(frame: Int64, time: UInt64) {
        self.frame = frame
        self.time = time
    }
}
