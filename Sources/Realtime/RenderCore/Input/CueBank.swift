/// Short sounds in memory that start without delay.
// SAFETY: written before it is handed over, and only read afterwards.
public final class CueBank: @unchecked Sendable {
    /// One sound: left, right, left, right.
    struct Sound: BitwiseCopyable {
        let samples: UnsafeMutablePointer<Float>
        let frames: Int
    }

    let sounds: UnsafeMutableBufferPointer<Sound>

    /// - Parameter sounds: by name, interleaved stereo at the engine's rate; the first is the metronome's first beat,
    ///   the second its other beats.
    public init(_ sounds: [(name: String, interleaved: [Float])]) {
        precondition(sounds.count >= 2)
        self.sounds = .allocate(capacity: sounds.count)
        for (i, sound) in sounds.enumerated() {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(2, sound.interleaved.count))
            samples.initialize(from: sound.interleaved, count: sound.interleaved.count)
            self.sounds.initializeElement(at: i, to: Sound(samples: samples, frames: sound.interleaved.count / 2))
        }
    }

    deinit {
        for sound in sounds { sound.samples.deallocate() }
        sounds.deallocate()
    }
}
