internal import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Connects cues and metronome with the parameters and with the thread that sends commands to cues.
struct CuePlayer: ~Copyable, Sendable {
    private var mixer: CueMixer
    private var commands: Ring<CueCommand>.Consumer
    private let owner: TargetRow
    private let beat: TargetRow.View
    private var reportedBeat = 0
    /// Index of the metronome's first parameter.
    private let parameters: Int

    /// - Parameters:
    ///   - commands: from the control side.
    ///   - beat: receives the current beat, counted from 1; 0 while the metronome is stopped.
    init(
        bank: CueBank, commands: consuming Ring<CueCommand>.Consumer, beat: TargetRow, tree: ParameterTree, rate: Float,
        period: Int
    ) {
        mixer = CueMixer(bank: bank, rate: rate, period: period)
        self.commands = commands
        owner = beat
        self.beat = beat.view
        parameters = tree.index(MetronomeParameter.run)
    }

    /// Returns how often all cues were ended because they had left the range of plausible sound.
    @_noLocks @_noAllocation
    mutating func takeCounts() -> RangeCounts { mixer.counts }

    /// Finds the metronome's clicks in the next block; to be called before ``mix(_:frames:)``.
    @_noLocks @_noAllocation
    mutating func advance(_ reader: borrowing ParameterReader, frames: Int) { mixer.advance(settings(reader), frames: frames) }

    /// The first frame of the block at which a beat, or with `ofBar` a bar, begins; nil when there is none.
    @_noLocks @_noAllocation
    func firstBeat(ofBar: Bool) -> Int? { mixer.firstBeat(ofBar: ofBar) }

    /// Adds the sounding cues and clicks to the live input; returns `input` itself when there are none.
    @_noLocks @_noAllocation
    mutating func mix(_ input: InputView?, frames: Int) -> InputView? {
        while let command = commands.pop() {
            if command.sound >= 0 { mixer.play(sound: Int(command.sound), gain: command.gain) } else { mixer.stop(fade: command.fade) }
        }
        let mixed = mixer.mix(input, frames: frames)
        if mixer.beat != reportedBeat {
            reportedBeat = mixer.beat
            beat.set(0, Float(reportedBeat))
        }
        return mixed
    }

    @_noLocks @_noAllocation
    private func settings(_ reader: borrowing ParameterReader) -> MetronomeSettings {
        guard value(reader, .run) != 0 else { return MetronomeSettings() }
        return MetronomeSettings(
            isRunning: true, beats: Int(clamping: value(reader, .beats)), parts: Int(clamping: value(reader, .parts)),
            gain: value(reader, .gain), tempo: value(reader, .tempo))
    }

    @_noLocks @_noAllocation
    private func value(_ reader: borrowing ParameterReader, _ parameter: MetronomeParameter) -> Float {
        reader.target(parameters &+ parameter.rawValue)
    }
}

/// A request to play a cue, or to stop all of them.
public struct CueCommand: BitwiseCopyable, Sendable {
    /// Number of the sound in the bank; negative to stop everything that is sounding.
    public var sound: Int32
    /// A factor.
    public var gain: Float
    /// Time in which sounds that are stopped fade, seconds; 0 for the shortest one without a click.
    public var fade: Float

    public init(sound: Int32, gain: Float, fade: Float = 0) {
        self.sound = sound
        self.gain = gain
        self.fade = fade
    }
}
