internal import CRealtime
internal import DSP

/// A room: sixteen reflections on each side, then 32 delay lines in a lossless feedback network, with filters that set the
/// decay time.
///
/// A feedback delay network (Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES
/// 1991) mixed by a Hadamard matrix; three quarters of the lines are modulated slowly against ringing. Four allpass filters on
/// each side increase the density of the input. The response has the same energy whatever the size and the decay time.
/// Another size or pre-delay makes a second room, which the input enters while the first one fades: no delay is
/// ever ramped. No latency.
public struct Reverb: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Time in which middle frequencies decay by 60 dB, seconds.
        public var decay: Float
        /// Distances of the reflections relative to those of a hall; the lengths of the late part's lines change less.
        public var size: Float
        /// Delay before the reverberation, milliseconds.
        public var preDelay: Float
        /// Shortening of the decay above 5 kHz; 0 is none, 1 a tenth of the time.
        public var damping: Float
        /// Decay time below 200 Hz relative to that of middle frequencies.
        public var bass: Float
        /// Depth of the modulation of the lines; 1 is 5 ms, and long decays and small rooms have up to 2.5 times as much.
        public var modulation: Float
        /// Stereo width, from mono (0) to full (1).
        public var width: Float
    }

    /// Largest change of a line's length by the modulation, seconds.
    static var depth: Float { @_noLocks @_noAllocation get { 0.005 } }
    /// The largest size, and the longest pre-delay in seconds.
    private static var largest: Float { @_noLocks @_noAllocation get { 2 } }
    private static var longestWait: Float { @_noLocks @_noAllocation get { 0.201 } }

    private let rate: Float
    private var entry: ReverbEntry
    // SAFETY: two rooms, owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let rooms: UnsafeMutablePointer<ReverbRoom>
    /// Number of the room that the input enters; nil before the first block.
    private var now: Int?
    private var change: RoomFade
    /// Number of lines of the other room that are clear; the next change waits until all are.
    private var cleared = LineBank.count
    private var sway = Smoother()
    private var decay = Smoother()
    private var bass = Smoother()
    private var treble = Smoother()
    private var width = Smoother()

    public let latency = 0

    public init(rate: Float, largestBlock: Int) {
        self.rate = rate
        let latest = EarlyReflections.longest(rate: rate, largest: Self.largest)
        entry = ReverbEntry(rate: rate, longest: Int(clamping: rate * Self.longestWait) + latest + 32)
        rooms = .allocate(capacity: 2)
        for i in 0..<2 { (rooms + i).initialize(to: ReverbRoom(rate: rate, largest: Self.largest)) }
        change = RoomFade(rate: rate)
    }

    deinit {
        rooms.deinitialize(count: 2)
        rooms.deallocate()
    }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int {
        Int(clamping: (settings.preDelay / 1000 + 0.1 + settings.decay * max(1, settings.bass)) * rate)
    }

    @_noLocks @_noAllocation
    public mutating func reset() {
        entry.reset()
        let rooms = rooms
        for i in 0..<2 { rooms[i].clear() }
        now = nil
        change.end()
        cleared = LineBank.count
        sway.reset()
        decay.reset()
        bass.reset()
        treble.reset()
        width.reset()
    }

    /// Factor of the modulation: resonances that last longer, or are fewer in a small room, need more of it to overlap.
    @_noLocks @_noAllocation
    private static func deepening(_ settings: Settings) -> Float {
        max(1, min(2.5, settings.decay / (4 * max(0.1, settings.size))))
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let slow = Smoother.share(frames: frames, rate: rate, seconds: SmoothingTime.modulation)
        let widths = width.ramp(to: settings.width, share: share, frames: frames)
        let depth = min(1, settings.modulation * Self.deepening(settings)) * Self.depth
        let sways = sway.ramp(to: depth * rate, share: slow, frames: frames)
        let before = decay.value
        let state = RoomDecay(
            seconds: decay.advance(to: max(0.05, settings.decay), share: share),
            bass: bass.advance(to: max(0.1, settings.bass), share: share),
            treble: treble.advance(to: max(0.05, 1 - 0.9 * settings.damping), share: share))
        let diffusion = Diffusion(from: before > 0 ? before : state.seconds, to: state.seconds, frames: frames)
        let now = chooseRoom(settings)
        let other = 1 &- now
        let isChanging = change.isActive
        let rooms = rooms
        rooms[now].prepare(state, sways: sways, frames: frames)
        if isChanging { rooms[other].prepare(state, sways: sways, frames: frames) }
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let xLeft = left.lanes(at)
            let xRight = right.lanes(at)
            entry.write(xLeft, xRight, diffusion, frame: at, count: count)
            let entering = isChanging ? change.entry(at) : rt_all16(1)
            var (wetLeft, wetRight) = rooms[now].process(entry, share: entering, frame: at, count: count)
            if isChanging {
                let exit = change.exit(at)
                let (oldLeft, oldRight) = rooms[other].process(entry, share: 1 - entering, frame: at, count: count)
                wetLeft = rt_fma16(exit, oldLeft, wetLeft)
                wetRight = rt_fma16(exit, oldRight, wetRight)
            }
            entry.advance(count)
            let middle = (wetLeft + wetRight) * 0.5
            let side = (wetLeft - wetRight) * widths.lanes(at) * 0.5
            left.setLanes(at, middle + side)
            right.setLanes(at, middle - side)
            at = at &+ count
        }
        if change.advance(frames) { cleared = 0 }
        clearOther()
    }

    /// Begins the change to another room when its size or the pre-delay is set to another value.
    /// - Returns: number of the room that the input enters.
    @_noLocks @_noAllocation
    private mutating func chooseRoom(_ settings: Settings) -> Int {
        let size = max(0.05, min(Self.largest, settings.size))
        let wait = Int(clamping: min(Self.longestWait, max(0, settings.preDelay / 1000)) * rate)
        let rooms = rooms
        guard let now else {
            rooms[0].begin(size: size, wait: wait)
            self.now = 0
            return 0
        }
        guard rooms[now].size != size || rooms[now].wait != wait, !change.isActive, cleared == LineBank.count else { return now }
        rooms[1 &- now].begin(size: size, wait: wait)
        self.now = 1 &- now
        change.begin()
        return 1 &- now
    }

    /// Clears two lines of the room that has become silent.
    @_noLocks @_noAllocation
    private mutating func clearOther() {
        guard let now, cleared < LineBank.count else { return }
        let rooms = rooms
        rooms[1 &- now].clear(cleared)
        rooms[1 &- now].clear(cleared &+ 1)
        cleared = cleared &+ 2
    }
}
