public import Binaural
public import FileOutput
internal import Glibc
public import Media

/// Makes a motion-tracked binaural recording from mono sources: the signals that the microphones of an array on a rigid
/// sphere would record of plane waves.
///
/// A source of level 1 has pressure 1 at the centre of the sphere. Streams in blocks, so that memory use does not
/// depend on length. Not thread-safe.
public struct SceneSynthesis {
    public let array: MicrophoneArray
    /// Frames per second.
    public let rate: Int
    /// True for a loop: the sound that would follow its end is at its start.
    public let seamless: Bool
    /// Delay of the recording relative to its sources in samples. In a loop it wraps around as well.
    public let delay: Int
    /// Frames of the recording: those of the longest source and, unless seamless, of the filters' response after its end.
    public let frames: Int
    private let sources: [SceneSource]
    private let sounds: [any MonoSource]
    private let filter: SphereFilter
    private let longest: Int

    /// - Parameters:
    ///   - rate: rate of the recording, 8000 to 384000 Hz; sources of other rates are resampled.
    ///   - seamless: whether to make a loop; sources shorter than the longest are padded with silence.
    public init(
        array: MicrophoneArray, rate: Int, sources: [SceneSource], seamless: Bool = false
    ) throws(MediaError) {
        guard !sources.isEmpty else { throw MediaError("The scene has no sources. Name one or more.") }
        guard (8000...384_000).contains(rate) else {
            throw MediaError("The rate \(rate) Hz is out of range: choose 8000 to 384000 Hz, such as 48000.")
        }
        for source in sources {
            guard let problem = source.placement.problem else { continue }
            throw MediaError("The source \(source.placement.name) cannot be placed: its \(problem).")
        }
        let filter = SphereFilter(radius: array.radius, rate: rate)
        let seconds = sources.map { Double($0.sound.frames) / Double($0.sound.rate) }
        var sounds = sources.map(\.sound)
        for index in sounds.indices where sounds[index].rate != rate {
            let loops = seamless && seconds[index] == seconds.max()
            sounds[index] = try ResampledSource(sounds[index], rate: rate, loops: loops)
        }
        let longest = sounds.map(\.frames).max() ?? 0
        guard longest > 0 else { throw MediaError("The sources of this scene are empty. Name sound files that contain sound.") }
        self.array = array
        self.rate = rate
        self.seamless = seamless
        self.sources = sources
        self.sounds = sounds
        self.filter = filter
        self.longest = longest
        delay = filter.delay
        frames = seamless ? longest : longest + filter.taps - 1
    }

    /// Description for the file beside the recording.
    public var description: SceneDescription {
        SceneDescription(array: array, rate: rate, delay: delay, sources: sources.map(\.placement))
    }

    /// - Parameters:
    ///   - progress: called after every block with the completed share.
    ///   - sink: called with interleaved frames of all microphones and the number of frames.
    public func render(
        progress: (Double) -> Void = { _ in },
        into sink: (UnsafePointer<Float>, Int) throws(MediaError) -> Void
    ) throws(MediaError) {
        var convolver = SceneConvolver(filter, cosines: cosines, gains: sources.map { pow(10, $0.placement.gain / 20) })
        if seamless {
            for (index, sound) in sounds.enumerated() {
                try sound.readRound(
                    into: convolver.past(index), from: -convolver.history, frames: convolver.history, length: longest)
            }
        }
        var block = [Float](repeating: 0, count: convolver.block * array.count)
        var done = 0
        while done < frames {
            let count = min(convolver.block, frames - done)
            for (index, sound) in sounds.enumerated() {
                try sound.readPadded(into: convolver.next(index), from: done, frames: convolver.block)
            }
            convolver.process(into: &block)
            try sink(block, count)
            done += count
            progress(Double(done) / Double(frames))
        }
    }

    /// Writes the recording and its description.
    ///
    /// - Parameters:
    ///   - output: for the sound.
    ///   - sidecar: for the description, beside it.
    public func write(
        to output: OutputFile, _ sidecar: OutputFile, progress: (Double) -> Void = { _ in }
    ) throws(MediaError) {
        let writer = try SoundWriter(output, channels: array.count, rate: rate)
        try render(progress: progress) { block, count throws(MediaError) in try writer.write(block, frames: count) }
        try description.write(to: sidecar)
        try writer.finish()
    }

    /// Cosine of the angle between every source and every microphone, microphones next to each other.
    private var cosines: [Double] {
        sources.flatMap { source in
            (0..<array.count).map { microphone in
                let turn = source.placement.azimuth - Double(array.azimuths[microphone])
                return cos(source.placement.elevation * .pi / 180) * cos(turn * .pi / 180)
            }
        }
    }
}

/// A sound and its direction, as a plane wave.
public struct SceneSource {
    public let sound: any MonoSource
    public let placement: SceneDescription.Placement

    public init(_ sound: any MonoSource, _ placement: SceneDescription.Placement) {
        self.sound = sound
        self.placement = placement
    }

    /// Opens the file whose path is the placement's name; the scene uses only the file name.
    public init(file placement: SceneDescription.Placement) throws(MediaError) {
        sound = try MonoFile(path: placement.name)
        self.placement = .init(
            name: sound.name, azimuth: placement.azimuth, elevation: placement.elevation, gain: placement.gain)
    }

    /// Warnings about the source's file; empty for sources in memory.
    public var warnings: [String] { (sound as? MonoFile)?.warnings ?? [] }
    /// Warnings about the samples of the source's file that were limited so far.
    public var limitWarnings: [String] { (sound as? MonoFile)?.limited.warnings ?? [] }
}

/// A mono source in memory.
public final class MonoSignal: MonoSource {
    public let name: String
    public let rate: Int
    public let samples: [Float]
    private var place = 0

    public init(name: String, rate: Int, samples: [Float]) {
        self.name = name
        self.rate = rate
        self.samples = samples
    }

    public var frames: Int { samples.count }

    public func seek(to frame: Int) { place = frame }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        let take = max(0, min(count, samples.count - place))
        samples.withUnsafeBufferPointer { memory in
            guard take > 0, let base = memory.baseAddress else { return }
            target.update(from: base + place, count: take)
        }
        place += take
        return take
    }
}
