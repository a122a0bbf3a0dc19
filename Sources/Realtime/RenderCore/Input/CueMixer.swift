internal import CRealtime
package import DSP

/// Cues and the metronome's clicks, mixed into the live input; every listener hears them.
package struct CueMixer: ~Copyable, Sendable {
    /// Number of sounds at once; another one replaces the oldest, which fades.
    static var voices: Int { @_noLocks @_noAllocation get { 16 } }
    /// Number of sounds with those that are fading.
    private static var places: Int { @_noLocks @_noAllocation get { 32 } }
    /// Least time in which a stopped voice fades, seconds.
    private static var fade: Float { @_noLocks @_noAllocation get { 0.01 } }

    private struct Voice: BitwiseCopyable {
        var sound = 0
        var place = 0
        var gain: Float = 0
        /// Rest of the fade, from 1 to 0, and what each frame takes from it; 0 before the fade.
        var rest: Float = 1
        var fall: Float = 0
        var isOn = false
        /// Larger for a voice that started later.
        var number = 0
    }

    private let bank: CueBank
    // SAFETY: part of `bank`, which this value holds.
    private nonisolated(unsafe) let sounds: UnsafeMutablePointer<CueBank.Sound>
    private let count: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let voices: UnsafeMutablePointer<Voice>
    /// Number of voices that have started.
    private var started = 0
    private let rows: Rows
    private let rate: Float
    private var metronome: Metronome
    private var range: RangeGuard
    /// Number of times that all sounds were ended because they had left the range of plausible sound.
    package private(set) var counts = RangeCounts()

    /// - Parameter period: largest block, frames.
    package init(bank: CueBank, rate: Float, period: Int) {
        self.bank = bank
        sounds = bank.sounds.baseAddress!
        count = bank.sounds.count
        voices = .allocate(capacity: Self.places)
        voices.initialize(repeating: Voice(), count: Self.places)
        rows = Rows(rows: 2, length: period)
        self.rate = rate
        metronome = Metronome(rate: rate)
        range = RangeGuard(rate: rate)
    }

    deinit { voices.deallocate() }

    /// Beat of the metronome, counted from 1; 0 while it is stopped.
    package var beat: Int { @_noLocks @_noAllocation get { metronome.currentBeat } }

    /// Lets the metronome find its clicks in the next block; before ``mix(_:frames:)``.
    @_noLocks @_noAllocation
    package mutating func advance(_ settings: MetronomeSettings, frames: Int) { metronome.advance(settings, frames: frames) }

    /// The first frame of the block at which a beat begins, or a bar; nil when there is none.
    @_noLocks @_noAllocation
    package func firstBeat(ofBar: Bool) -> Int? { metronome.firstBeat(ofBar: ofBar) }

    /// Adds what is sounding to the live input; returns `input` itself when nothing is.
    @_noLocks @_noAllocation
    package mutating func mix(_ input: InputView?, frames: Int) -> InputView? {
        var isSounding = metronome.clicks > 0
        for i in 0..<Self.places where voices[i].isOn { isSounding = true }
        guard isSounding else { return input }
        let (left, right) = (rows.row(0), rows.row(1))
        if let input {
            rt_copy(left, input.left, frames)
            rt_copy(right, input.right, frames)
        } else {
            rt_zero(left, frames)
            rt_zero(right, frames)
        }
        for i in 0..<Self.places where voices[i].isOn { add(i, left, right, from: 0, to: frames) }
        for click in 0..<metronome.clicks {
            let begin = metronome.click(click)
            let voice = start(sound: begin.isFirst ? 0 : 1, gain: begin.gain)
            add(voice, left, right, from: begin.frame, to: frames)
        }
        let verdict = range.admit(left, right, frames: frames)
        if !verdict.isPlausible {
            counts.note(verdict)
            for i in 0..<Self.places { voices[i].isOn = false }
        }
        return InputView(left: left, right: right)
    }

    /// Starts a sound with the next block.
    ///
    /// - Parameters:
    ///   - sound: number of the sound in the bank; nothing happens when there is none.
    ///   - gain: a factor.
    @_noLocks @_noAllocation
    package mutating func play(sound: Int, gain: Float) { _ = start(sound: sound, gain: gain) }

    /// Fades out everything that is sounding.
    /// - Parameter seconds: duration of the fade; a shorter one that has begun continues.
    @_noLocks @_noAllocation
    package mutating func stop(fade seconds: Float = 0) {
        for i in 0..<Self.places { fade(i, seconds) }
    }

    /// Lets a voice fade; one that has not sounded yet ends at once.
    @_noLocks @_noAllocation
    private func fade(_ voice: Int, _ seconds: Float = 0) {
        if voices[voice].place == 0 { voices[voice].isOn = false }
        voices[voice].fall = max(voices[voice].fall, 1 / (max(Self.fade, seconds) * rate))
    }

    @_noLocks @_noAllocation
    private mutating func start(sound: Int, gain: Float) -> Int {
        guard sound < count else { return 0 }
        var (oldest, sounding, place) = (-1, 0, 0)
        for i in 0..<Self.places {
            if voices[i].isOn && voices[i].fall == 0 {
                sounding = sounding &+ 1
                if oldest < 0 || voices[i].number < voices[oldest].number { oldest = i }
            }
            // A free place, or that of the voice which has faded most.
            if rest(i) < rest(place) { place = i }
        }
        if sounding >= Self.voices { fade(oldest) }
        started = started &+ 1
        voices[place] = Voice(sound: sound, gain: gain, isOn: true, number: started)
        return place
    }

    @_noLocks @_noAllocation
    private func rest(_ voice: Int) -> Float { voices[voice].isOn ? voices[voice].rest : -1 }

    @_noLocks @_noAllocation
    private func add(
        _ index: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, from: Int, to: Int
    ) {
        var voice = voices[index]
        let sound = sounds[voice.sound]
        let end = min(to, from &+ (sound.frames &- voice.place))
        var frame = from
        while frame < end {
            // Smoothstep: 3 x^2 - 2 x^3.
            let gain = voice.gain * voice.rest * voice.rest * (3 - 2 * voice.rest)
            left[frame] += gain * sound.samples[2 &* voice.place]
            right[frame] += gain * sound.samples[2 &* voice.place &+ 1]
            voice.rest = max(0, voice.rest - voice.fall)
            voice.place = voice.place &+ 1
            frame = frame &+ 1
        }
        voice.isOn = voice.place < sound.frames && voice.rest > 0
        voices[index] = voice
    }
}
