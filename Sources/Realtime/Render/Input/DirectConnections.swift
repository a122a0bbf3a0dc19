public import Crossing
internal import Parameters
public import Rack
public import RenderCore

/// The other threads' endpoints for sound that is heard beside the scene: live input, looper, cues and music. Each is to be taken once.
public struct DirectConnections: Sendable {
    /// Plans of the rack on the live input.
    public let inputRack: Parcel<Handover<RackPlan>.Control>
    /// Peaks of both sides of the live input since they were read.
    public let inputLevels = TargetRow(.init(repeating: 0, count: LiveInput.Meter.count))
    public let cues: Parcel<Ring<CueCommand>.Producer>
    /// Present beat of the metronome, counted from 1; 0 while it is stopped.
    public let beat = TargetRow([0])
    public let looper: Parcel<Ring<LooperCommand>.Producer>
    /// Reports of the looper: its state as a raw value of ``LooperState``, length in seconds, place in the loop, undo and redo.
    public let loop = TargetRow(.init(repeating: 0, count: LooperPlayer.Report.count))
    public let music: Parcel<Handover<MusicFeed>.Control>
    /// 1 while music is heard; 0 while there is none, or too little of it is buffered.
    public let isMusicHeard = TargetRow([0])
    /// Mean of both sides of the live input, for the tuner, and the switch that turns it on.
    public let tunerTap: Parcel<FrameRing.Consumer>
    public let isTunerOn: Parcel<Switch.Control>

    /// The renderer's ends.
    let sound: Parcel<DirectSound>

    /// - Parameters:
    ///   - clip: a sound that is looped as live input.
    ///   - capture: live input of a device with its own clock.
    ///   - longestLoop: capacity of the looper, frames; 0 for no looper.
    ///   - bank: sounds of cues and metronome; nil for neither.
    ///   - period: largest block, frames.
    init(
        tree: ParameterTree, clip: InputClip?, capture: consuming InputFeed?, longestLoop: Int, bank: CueBank?, rate: Float, period: Int
    ) {
        let rack = RackConnection()
        inputRack = rack.control
        // Over a second at 48 kHz.
        let tap = FrameRing(channels: 1, capacity: 1 << 16)
        tunerTap = Parcel(tap.consumer)
        let tuner = Switch()
        isTunerOn = Parcel(tuner.control)
        let input = LiveInput(
            clip: clip, feed: capture, rack: LiveRack(plans: rack.realtime.take(), rate: rate, largestBlock: period), tap: tap.producer,
            isTapped: tuner.realtime, meters: inputLevels, parameters: tree.index(InputParameter.gain), period: period, rate: rate)
        let sounds = Ring<CueCommand>(capacity: 64)
        cues = Parcel(sounds.producer)
        let commands = Ring<LooperCommand>(capacity: 64)
        looper = Parcel(commands.producer)
        let feeds = Handover<MusicFeed>()
        music = Parcel(feeds.control)
        sound = Parcel(
            DirectSound(
                input: input,
                looper: Self.looper(longestLoop, commands.consumer, report: loop, tree, rate: rate, period: period),
                cues: Self.cues(bank, sounds.consumer, beat: beat, tree, rate: rate, period: period),
                music: MusicPlayer(feeds: feeds.realtime, report: isMusicHeard, tree: tree, rate: rate, period: period)))
    }

    private static func looper(
        _ longest: Int, _ commands: consuming Ring<LooperCommand>.Consumer, report: TargetRow, _ tree: ParameterTree, rate: Float,
        period: Int
    ) -> LooperPlayer? {
        guard longest > 0 else { return nil }
        return LooperPlayer(capacity: longest, commands: commands, report: report, tree: tree, rate: rate, period: period)
    }

    private static func cues(
        _ bank: CueBank?, _ commands: consuming Ring<CueCommand>.Consumer, beat: TargetRow, _ tree: ParameterTree, rate: Float, period: Int
    ) -> CuePlayer? {
        guard let bank else { return nil }
        return CuePlayer(bank: bank, commands: commands, beat: beat, tree: tree, rate: rate, period: period)
    }
}
