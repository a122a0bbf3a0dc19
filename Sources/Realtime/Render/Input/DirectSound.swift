internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// Sound that listeners hear beside the scene: the live input with its rack and looper, cues, and music.
struct DirectSound: ~Copyable, Sendable {
    private var input: LiveInput
    private var looper: LooperPlayer?
    private var cues: CuePlayer?
    private var music: MusicPlayer
    /// Time at which the next input block of the playing device was at its converter, nanoseconds; 0 without input.
    private var time: UInt64 = 0

    init(
        input: consuming LiveInput, looper: consuming LooperPlayer?, cues: consuming CuePlayer?, music: consuming MusicPlayer
    ) {
        self.input = input
        self.looper = looper
        self.cues = cues
        self.music = music
    }

    /// Number of times that sound of the input was out of range and was replaced.
    var inputCounts: RangeCounts { @_noLocks @_noAllocation get { input.counts } }
    /// As above, for the cues; nil without cues.
    @_noLocks @_noAllocation
    mutating func takeCueCounts() -> RangeCounts? { cues?.takeCounts() }

    /// Latency of the input's rack, samples.
    var latency: Int { @_noLocks @_noAllocation get { input.latency } }

    /// Takes a block of the playing device's input for the block that is rendered next.
    ///
    /// - Parameter time: time at which its first frame was at the converter, nanoseconds.
    @_noLocks @_noAllocation
    mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, from time: UInt64) {
        input.take(left, right, frames: frames)
        self.time = time
    }

    /// Selects `part` frames from `offset` of a block that is rendered in parts.
    @_noLocks @_noAllocation
    mutating func choose(_ offset: Int, _ part: Int, of frames: Int) { input.choose(offset, part, of: frames) }

    /// Advances to a block; returns the live input after rack and looper, nil without one.
    ///
    /// - Parameters:
    ///   - takes: receive the input before and after its rack.
    ///   - sample: sample of the engine at which the block begins.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ reader: borrowing ParameterReader, takes: inout TakeTaps, at sample: Int64, block: Block
    ) -> InputView? {
        cues?.advance(reader, frames: block.frames)
        let live = input.prepare(reader, takes: &takes, at: sample, block: block)
        return looper?.process(live, reader, cues: cues, block: block) ?? live
    }

    /// Adds cues and music to the live input that is heard directly.
    @_noLocks @_noAllocation
    mutating func mix(_ live: InputView?, _ reader: borrowing ParameterReader, block: Block) -> InputView? {
        music.mix(cues?.mix(live, frames: block.frames) ?? live, reader, block)
    }

    /// Takes the time at which the first of the last `frames` frames of input was at its converter, nanoseconds; 0 without input.
    @_noLocks @_noAllocation
    mutating func takeTime(_ frames: Int, _ block: BlockTime, nanosecondsPerSample: Float) -> UInt64 {
        let captured = input.captured(frames, at: block.begin, nanosecondsPerSample: nanosecondsPerSample)
        defer { time = 0 }
        return captured > 0 && block.output > 0 ? captured : time
    }
}
