/// Finds the frames of a block at which clicks begin. A change of tempo applies from the current phase on; there is no drift.
struct Metronome: ~Copyable, Sendable {
    struct Click: BitwiseCopyable {
        var frame = 0
        var isFirst = false
        /// Whether a beat begins, not only a part of one.
        var isBeat = false
        /// A factor.
        var gain: Float = 0
    }

    /// Maximum number of clicks in one block: 300 beats per minute of eight parts, 8192 frames at 8 kHz give 41.
    private static var most: Int { @_noLocks @_noAllocation get { 48 } }

    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let list: UnsafeMutablePointer<Click>
    /// Number of clicks in the current block.
    private(set) var clicks = 0
    /// Beat that was begun last, counted from 1; 0 while stopped.
    private(set) var currentBeat = 0
    private let rate: Double
    /// Phase of the part of a beat, 0 to 1.
    private var phase = 0.0
    /// Counted from 0.
    private var beat = 0
    private var part = 0
    private var isRunning = false

    init(rate: Float) {
        self.rate = Double(rate)
        list = .allocate(capacity: Self.most)
        list.initialize(repeating: Click(), count: Self.most)
    }

    deinit { list.deallocate() }

    @_noLocks @_noAllocation
    func click(_ index: Int) -> Click { list[index] }

    /// The first frame of the block at which a beat begins, or a bar; nil when there is none.
    @_noLocks @_noAllocation
    func firstBeat(ofBar: Bool) -> Int? {
        for i in 0..<clicks where ofBar ? list[i].isFirst : list[i].isBeat { return list[i].frame }
        return nil
    }

    /// Finds the clicks of the next block.
    @_noLocks @_noAllocation
    mutating func advance(_ settings: MetronomeSettings, frames: Int) {
        clicks = 0
        let wasRunning = isRunning
        isRunning = settings.isRunning
        guard isRunning else {
            currentBeat = 0
            return
        }
        let beats = max(1, settings.beats)
        let parts = max(1, settings.parts)
        let tempo = max(1, Double(settings.tempo))
        let step = tempo * Double(parts) / (60 * rate)
        if !wasRunning {
            (phase, part, beat) = (0, 0, 0)
            add(0, settings.gain)
        }
        // The frame at which the next part begins.
        var at = (1 - phase) / step
        while at < Double(frames) {
            part = (part &+ 1) % parts
            if part == 0 { beat = (beat &+ 1) % beats }
            add(Int(clamping: at), settings.gain)
            at += 1 / step
        }
        phase = 1 - (at - Double(frames)) * step
    }

    @_noLocks @_noAllocation
    private mutating func add(_ frame: Int, _ gain: Float) {
        guard clicks < Self.most else { return }
        // Parts of a beat are quieter than beats.
        list[clicks] = Click(frame: frame, isFirst: part == 0 && beat == 0, isBeat: part == 0, gain: part == 0 ? gain : 0.4 * gain)
        clicks = clicks &+ 1
        if part == 0 { currentBeat = beat &+ 1 }
    }
}
