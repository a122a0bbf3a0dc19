import Binaural
import RenderCore

/// A recording and its objects, prepared by the inner half alone.
struct PlainScene: ~Copyable {
    let array: MicrophoneArray
    let period: Int
    let ring: UnsafeMutablePointer<RingLookup>
    let input: UnsafeMutablePointer<Float>
    let settings: UnsafeMutablePointer<ObjectSettings>
    var preparer: ScenePreparer
    var objects: ObjectScene
    private var place = 0

    init(_ array: MicrophoneArray, period: Int, sounds: [[Float]]) {
        self.array = array
        self.period = period
        ring = .allocate(capacity: 1)
        ring.initialize(to: RingLookup(array))
        input = .allocate(capacity: (period + 8) * array.count)
        input.initialize(repeating: 0, count: (period + 8) * array.count)
        settings = .allocate(capacity: max(1, sounds.count))
        settings.initialize(repeating: ObjectSettings(), count: max(1, sounds.count))
        preparer = ScenePreparer(period: period, rate: PlainListener.rate)
        objects = ObjectScene(count: sounds.count, rate: PlainListener.rate, period: period)
        for (number, mono) in sounds.enumerated() {
            let sound = UnsafeMutablePointer<ObjectSound>.allocate(capacity: 1)
            sound.initialize(to: ObjectSound(object: number, mono: mono))
            _ = objects.take(sound)
        }
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
        input.deallocate()
        settings.deallocate()
    }

    /// Prepares the next block of the recording `sample(channel, frame)`.
    mutating func prepare(_ needs: BandSet, crossover: Float, _ sample: (Int, Int) -> Float) -> Block {
        let block = Block(frames: period, rate: PlainListener.rate, tempo: 120)
        for frame in 0..<period {
            for channel in 0..<array.count { input[frame * array.count + channel] = sample(channel, place + frame) }
        }
        place += period
        preparer.prepare(input, ring, changes: 1, SceneSettings(crossover: crossover, needs: needs), block: block)
        objects.prepare(
            settings, ObjectTransport(isPlaying: true, feed: 1, place: Int64(place), radius: array.radius), input: nil,
            block: block)
        while let sound = objects.release() {
            sound.deinitialize(count: 1)
            sound.deallocate()
        }
        return block
    }
}
