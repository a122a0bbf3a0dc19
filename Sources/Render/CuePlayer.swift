internal import CRealtime
internal import Crossing
internal import Parameters

/// Cues and the metronome's clicks over the live input, several at once; every listener hears them.
struct CuePlayer: ~Copyable, Sendable {
    /// How many sound at once; the next one takes the place of the oldest.
    static var voices: Int { @_noLocks @_noAllocation get { 16 } }
    /// Seconds in which a voice falls to 37 % when it is cut off.
    private static var fade: Float { @_noLocks @_noAllocation get { 0.005 } }

    private struct Voice: BitwiseCopyable {
        var sound = 0
        var place = 0
        var gain: Float = 0
        /// What the gain is multiplied by with each frame.
        var decay: Float = 1
        var isOn = false
    }

    private let bank: CueBank
    // SAFETY: of `bank`, which this value holds.
    private nonisolated(unsafe) let sounds: UnsafeMutablePointer<CueBank.Sound>
    private let count: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let voices: UnsafeMutablePointer<Voice>
    private var next = 0
    private var orders: Ring<CueOrder>.Consumer
    private let rows: Rows
    private let rate: Float
    private var metronome: Metronome

    /// - Parameters:
    ///   - orders: from the control side.
    ///   - beat: where the metronome says which beat it is at.
    init(
        bank: CueBank, orders: consuming Ring<CueOrder>.Consumer, beat: SharedRow, tree: ParameterTree, rate: Float,
        period: Int
    ) {
        self.bank = bank
        sounds = bank.sounds.baseAddress!
        count = bank.sounds.count
        voices = .allocate(capacity: Self.voices)
        voices.initialize(repeating: Voice(), count: Self.voices)
        self.orders = orders
        rows = Rows(rows: 2, length: period)
        self.rate = rate
        metronome = Metronome(beat: beat, slots: tree.slot(MetronomeParameter.run), rate: rate)
    }

    deinit { voices.deallocate() }

    /// Adds what sounds to the live input; returns that as it is when nothing does.
    @_noLocks @_noAllocation
    mutating func mix(_ input: InputView?, _ parameters: borrowing ParameterReader, frames: Int) -> InputView? {
        while let order = orders.pop() { obey(order) }
        metronome.advance(parameters, frames: frames)
        var isSounding = metronome.clicks > 0
        for i in 0..<Self.voices where voices[i].isOn { isSounding = true }
        guard isSounding else { return input }
        let (left, right) = (rows.row(0), rows.row(1))
        if let input {
            rt_copy(left, input.left, frames)
            rt_copy(right, input.right, frames)
        } else {
            rt_zero(left, frames)
            rt_zero(right, frames)
        }
        for i in 0..<Self.voices where voices[i].isOn { sound(i, left, right, from: 0, to: frames) }
        for click in 0..<metronome.clicks {
            let begin = metronome.click(click)
            let voice = start(sound: begin.isFirst ? 0 : 1, gain: begin.gain)
            sound(voice, left, right, from: begin.frame, to: frames)
        }
        return InputView(left: left, right: right)
    }

    @_noLocks @_noAllocation
    private mutating func obey(_ order: CueOrder) {
        if order.sound >= 0 {
            _ = start(sound: Int(order.sound), gain: order.gain)
        } else {
            let decay = rt_exp(-1 / (Self.fade * rate))
            for i in 0..<Self.voices { voices[i].decay = decay }
        }
    }

    @_noLocks @_noAllocation
    private mutating func start(sound: Int, gain: Float) -> Int {
        let voice = next
        guard sound < count else { return voice }
        next = (next &+ 1) % Self.voices
        voices[voice] = Voice(sound: sound, place: 0, gain: gain, decay: 1, isOn: true)
        return voice
    }

    @_noLocks @_noAllocation
    private func sound(
        _ index: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, from: Int, to: Int
    ) {
        var voice = voices[index]
        let sound = sounds[voice.sound]
        let end = min(to, from &+ (sound.frames &- voice.place))
        var frame = from
        while frame < end {
            left[frame] += voice.gain * sound.samples[2 &* voice.place]
            right[frame] += voice.gain * sound.samples[2 &* voice.place &+ 1]
            voice.gain *= voice.decay
            voice.place = voice.place &+ 1
            frame = frame &+ 1
        }
        voice.isOn = voice.place < sound.frames && abs(voice.gain) > 1e-6
        voices[index] = voice
    }
}
