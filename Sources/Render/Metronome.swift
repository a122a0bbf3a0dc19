internal import CRealtime
internal import Crossing
internal import Parameters

/// Says at which frames of a block clicks begin. A change of the tempo holds from where the beat is; nothing drifts.
struct Metronome: ~Copyable, Sendable {
    struct Click: BitwiseCopyable {
        var frame = 0
        var isFirst = false
        /// A factor.
        var gain: Float = 0
    }

    /// Clicks that one block may have: 300 beats of eight parts a minute, 8192 frames at 8 kHz are 41.
    private static var most: Int { @_noLocks @_noAllocation get { 48 } }

    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let list: UnsafeMutablePointer<Click>
    /// In this block.
    private(set) var clicks = 0
    private let owner: SharedRow
    private let told: SharedRow.View
    private let slots: Int
    private let rate: Double
    /// Of the beat, 0 to 1.
    private var phase = 0.0
    /// Counted from 0.
    private var beat = 0
    private var part = 0
    private var isRunning = false

    /// - Parameters:
    ///   - beat: where the present beat is told, counted from 1; 0 while it stands.
    ///   - slots: first of the metronome's parameters.
    init(beat: SharedRow, slots: Int, rate: Float) {
        owner = beat
        told = beat.view
        self.slots = slots
        self.rate = Double(rate)
        list = .allocate(capacity: Self.most)
        list.initialize(repeating: Click(), count: Self.most)
    }

    deinit { list.deallocate() }

    @_noLocks @_noAllocation
    func click(_ index: Int) -> Click { list[index] }

    /// Finds the clicks of the next block.
    @_noLocks @_noAllocation
    mutating func advance(_ parameters: borrowing ParameterReader, frames: Int) {
        clicks = 0
        let wasRunning = isRunning
        isRunning = parameters.target(slots &+ MetronomeParameter.run.rawValue) != 0
        guard isRunning else {
            if wasRunning { told.set(0, 0) }
            return
        }
        let beats = max(1, Int(parameters.target(slots &+ MetronomeParameter.beats.rawValue)))
        let parts = max(1, Int(parameters.target(slots &+ MetronomeParameter.parts.rawValue)))
        let gain = parameters.target(slots &+ MetronomeParameter.gain.rawValue)
        let tempo = max(1, Double(parameters.target(slots &+ MetronomeParameter.tempo.rawValue)))
        let step = tempo * Double(parts) / (60 * rate)
        if !wasRunning {
            (phase, part, beat) = (0, 0, 0)
            note(0, gain, beats)
        }
        // The frame at which the next part begins.
        var at = (1 - phase) / step
        while at < Double(frames) {
            part = (part &+ 1) % parts
            if part == 0 { beat = (beat &+ 1) % beats }
            note(Int(at), gain, beats)
            at += 1 / step
        }
        phase = 1 - (at - Double(frames)) * step
    }

    @_noLocks @_noAllocation
    private mutating func note(_ frame: Int, _ gain: Float, _ beats: Int) {
        guard clicks < Self.most else { return }
        // Parts of a beat are quieter than beats.
        list[clicks] = Click(frame: frame, isFirst: part == 0 && beat == 0, gain: part == 0 ? gain : 0.4 * gain)
        clicks = clicks &+ 1
        if part == 0 { told.set(0, Float(beat &+ 1)) }
    }
}
