internal import CRealtime

/// The renderer of one listener in a browser: the scene and the listener of `RenderCore`, with plain memory for what a page sets.
///
/// Used by one thread, that of an AudioWorklet. ``render(frames:)`` does not allocate; ``setArray()`` does, and designs the weights of the
/// ring: pages call it before the sound begins, or accept one late block.
struct BrowserRenderer: ~Copyable {
    /// Largest block, frames.
    static let largestBlock = 1024
    /// Length of the fade of a pause, seconds: that of the engine.
    private static let fade: Float = 0.02

    let rate: Float
    // SAFETY: the six are owned by this value alone, which cannot be copied.
    /// Interleaved frames of the next block, with room for 8 frames of zeros.
    nonisolated(unsafe) let input: UnsafeMutablePointer<Float>
    // SAFETY: as above. The array to be set.
    nonisolated(unsafe) let settings: UnsafeMutablePointer<ArraySettings>
    // SAFETY: as above. Settings of every object.
    nonisolated(unsafe) let objects: UnsafeMutablePointer<ObjectSettings>
    // SAFETY: as above.
    private nonisolated(unsafe) let ring: UnsafeMutablePointer<RingLookup>
    // SAFETY: as above. Left and right ear's interpolation weights below and above the crossover, for displays.
    nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>
    // SAFETY: as above. Levels of the microphones, for displays.
    nonisolated(unsafe) let microphones: UnsafeMutablePointer<Float>
    private var preparer: ScenePreparer
    private var listener: ListenerRenderer
    private var scene: ObjectScene
    /// Objects and live input that come with the blocks.
    var streamed: StreamedScene
    private let work: RenderWork
    private var hasRing = false
    private var changes = 0
    /// Level of the recording; ramped to 0 before it pauses.
    private var level: Float = 0
    private var hasStarted = false
    var head = SIMD4<Float>(1, 0, 0, 0)
    var own = ListenerSettings(method: .standard, isProtected: false)
    var crossover: Float = 0
    var isPlaying = false
    /// Frames of the recording that were played since the array was set.
    private var place: Int64 = 0
    /// Peak of both ears in the last block.
    private(set) var peak = SIMD2<Float>.zero

    /// - Parameters:
    ///   - rate: frames per second, 8000 to 192,000.
    ///   - objects: number of sound objects.
    init(rate: Float, objects count: Int) {
        self.rate = rate
        let capacity = MicrophoneArray.capacity
        input = .allocateAligned((Self.largestBlock + 8) * capacity)
        let numbers = UnsafeMutablePointer<Float>.allocateAligned(3 * capacity)
        settings = .allocate(capacity: 1)
        settings.initialize(
            to: ArraySettings(count: 0, radius: 0, azimuths: numbers, gains: numbers + capacity, delays: numbers + 2 * capacity))
        objects = .allocate(capacity: max(1, count))
        objects.initialize(repeating: ObjectSettings(gain: 0), count: count)
        ring = .allocate(capacity: 1)
        weights = .allocateAligned(4 * capacity)
        microphones = .allocateAligned(2 * capacity)
        preparer = ScenePreparer(period: Self.largestBlock, rate: rate)
        listener = ListenerRenderer(
            chain: OutputChain(isProtected: false, period: Self.largestBlock, rate: rate), objects: count,
            period: Self.largestBlock, rate: rate)
        scene = ObjectScene(count: count, rate: rate, period: Self.largestBlock)
        streamed = StreamedScene(objects: count, rate: rate, period: Self.largestBlock)
        work = RenderWork(period: Self.largestBlock, rate: rate)
    }

    deinit {
        input.deallocate()
        settings.pointee.azimuths.deallocate()
        settings.deallocate()
        objects.deallocate()
        if hasRing { ring.deinitialize(count: 1) }
        ring.deallocate()
        weights.deallocate()
        microphones.deallocate()
    }

    /// Number of sound objects.
    var objectCount: Int { scene.count }

    /// Applies ``settings``; returns false when they do not describe an array.
    mutating func setArray() -> Bool {
        let settings = settings.pointee
        guard settings.isValid else { return false }
        let former = hasRing ? ring.pointee.channels : 0
        if hasRing { ring.deinitialize(count: 1) }
        ring.initialize(to: RingLookup(settings.array, calibration: settings.calibration, rate: rate))
        hasRing = true
        changes += 1
        listener.changeArray(isSameCount: settings.count == former)
        return true
    }

    /// Gives an object a looped sound; returns false when there is no such object.
    mutating func setSound(_ object: Int, mono: UnsafePointer<Float>, frames: Int) -> Bool {
        guard object >= 0, object < scene.count, frames >= 0 else { return false }
        let sound = UnsafeMutablePointer<ObjectSound>.allocate(capacity: 1)
        sound.initialize(to: ObjectSound(object: object, mono: Array(UnsafeBufferPointer(start: mono, count: frames))))
        free(scene.take(sound))
        return true
    }

    private func free(_ sound: UnsafeMutablePointer<ObjectSound>?) {
        sound?.deinitialize(count: 1)
        sound?.deallocate()
    }

    /// Left and right ear of the last block.
    func ear(_ side: Int) -> UnsafeMutablePointer<Float> { work.ears.row(side) }

    /// Latency from the recording to the ears, samples.
    var latency: Int { mutating get { listener.latency(own.method) } }

    /// Present crossover of the method, hertz; 0 for none.
    var presentCrossover: Float {
        mutating get {
            guard let crossover = listener.crossover else { return 0 }
            return preparer.prepared.frequency(crossover)
        }
    }

    /// Renders the block in ``input``.
    ///
    /// - Parameter frames: 16 to ``largestBlock``, a multiple of 16.
    mutating func render(frames: Int) {
        let block = Block(frames: frames, rate: rate, tempo: 120)
        let isHeard = play(frames)
        preparer.prepare(
            input, hasRing ? UnsafePointer(ring) : nil, changes: changes,
            SceneSettings(crossover: crossover, needs: listener.bands(own.method)), block: block)
        if isHeard { place += Int64(frames) }
        if scene.count > 0 {
            scene.prepare(
                objects,
                ObjectTransport(isPlaying: isPlaying, place: place, radius: hasRing ? ring.pointee.radius : 0), input: nil, block: block)
            while let done = scene.release() { free(done) }
        }
        let ring = hasRing ? UnsafePointer(ring) : nil
        let live = streamed.live
        if streamed.isUsed {
            streamed.prepare(frames, radius: ring?.pointee.radius ?? 0)
            peak =
                listener.render(
                    preparer.prepared, ring, streamed.prepared, own, head: head, hrtf: nil, input: live, block: block, work: work
                ).peak
        } else {
            peak =
                listener.render(
                    preparer.prepared, ring, scene.prepared, own, head: head, hrtf: nil, input: live, block: block, work: work
                ).peak
        }
    }

    /// Writes the level of every microphone since the last call: 64 peaks and 64 root mean squares.
    mutating func gatherLevels() {
        let capacity = MicrophoneArray.capacity
        let frames = Float(max(1, preparer.levelFrames))
        for channel in 0..<capacity {
            microphones[channel] = preparer.peaks[channel]
            microphones[capacity + channel] = (preparer.energies[channel] / frames).squareRoot()
        }
        preparer.resetLevels()
    }

    /// Fades the input in and out; returns whether it is heard.
    private mutating func play(_ frames: Int) -> Bool {
        guard hasRing else { return false }
        let channels = ring.pointee.channels
        rt_zero(input + frames &* channels, 8 &* channels)
        let target: Float = isPlaying ? 1 : 0
        if !hasStarted, isPlaying {
            // The very first frame is not faded in.
            level = 1
            hasStarted = true
        }
        if level == 0, target == 0 {
            rt_zero(input, frames &* channels)
            return false
        }
        guard level != target || level != 1 else { return true }
        let step = Float(frames) / (Self.fade * rate)
        let reached = Ramp.approach(target, from: level, step: step)
        InterleavedFade.apply(input, channels: channels, frames: frames, from: level, to: reached)
        level = reached
        return true
    }

    /// Writes the current weights: the left ear's below the crossover, the right ear's, then both above it.
    mutating func gatherWeights() {
        guard hasRing else { return }
        let capacity = MicrophoneArray.capacity
        var lows = UnsafeMutableBufferPointer(start: weights, count: 2 * capacity).mutableSpan
        var highs = UnsafeMutableBufferPointer(start: weights + 2 * capacity, count: 2 * capacity).mutableSpan
        listener.weights(&lows, &highs, count: ring.pointee.channels)
    }
}
