internal import Crossing
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Connects the looper with the parameters, the metronome and the thread that gives commands.
struct LooperPlayer: ~Copyable, Sendable {
    /// Indices of the reported numbers: the state, the length in seconds, the place in the loop, and whether there is something to undo
    /// and to redo.
    enum Report {
        static var state: Int { @_noLocks @_noAllocation get { 0 } }
        static var length: Int { @_noLocks @_noAllocation get { 1 } }
        static var position: Int { @_noLocks @_noAllocation get { 2 } }
        static var canUndo: Int { @_noLocks @_noAllocation get { 3 } }
        static var canRedo: Int { @_noLocks @_noAllocation get { 4 } }
        static var count: Int { 5 }
    }

    private var looper: Looper
    private var commands: Ring<LooperCommand>.Consumer
    private let owner: TargetRow
    private let report: TargetRow.View
    private let rate: Float
    /// Indices of the first parameters of looper and metronome.
    private let parameters: Int
    private let metronome: Int

    /// - Parameters:
    ///   - capacity: longest loop, frames.
    ///   - report: receives the numbers in the order of ``Report``.
    init(
        capacity: Int, commands: consuming Ring<LooperCommand>.Consumer, report: TargetRow, tree: ParameterTree, rate: Float, period: Int
    ) {
        looper = Looper(capacity: capacity, rate: rate, period: period)
        self.commands = commands
        owner = report
        self.report = report.view
        self.rate = rate
        parameters = tree.index(LooperParameter.record)
        metronome = tree.index(MetronomeParameter.run)
    }

    /// Adds the loop to the live input, and records the live input.
    @_noLocks @_noAllocation
    mutating func process(
        _ input: InputView?, _ reader: borrowing ParameterReader, cues: borrowing CuePlayer?, block: Block
    ) -> InputView? {
        let settings = settings(reader, cues, block)
        while looper.isReady, let command = commands.pop() { looper.perform(command, unit: settings.unit) }
        let live = looper.process(input, settings, block: block)
        report.set(Report.state, Float(looper.state.rawValue))
        report.set(Report.length, Float(looper.frames) / rate)
        report.set(Report.position, looper.share)
        report.set(Report.canUndo, looper.canUndo ? 1 : 0)
        report.set(Report.canRedo, looper.canRedo ? 1 : 0)
        return live
    }

    @_noLocks @_noAllocation
    private func settings(_ reader: borrowing ParameterReader, _ cues: borrowing CuePlayer?, _ block: Block) -> LooperSettings {
        var settings = LooperSettings(level: value(reader, .level), isHalfSpeed: value(reader, .half) != 0)
        let quantise = Int(clamping: value(reader, .quantise))
        guard quantise > 0, reader.target(metronome) != 0 else { return settings }
        let isBar = quantise == LooperParameter.bar
        let beats = isBar ? max(1, reader.target(metronome &+ MetronomeParameter.beats.rawValue)) : 1
        settings.unit = Double(beats) * 60 * Double(rate) / Double(max(1, block.tempo))
        settings.gate = cues?.firstBeat(ofBar: isBar)
        return settings
    }

    @_noLocks @_noAllocation
    private func value(_ reader: borrowing ParameterReader, _ parameter: LooperParameter) -> Float {
        reader.target(parameters &+ parameter.rawValue)
    }
}
