internal import Binaural
internal import DSP
internal import RenderCore

/// A block on its way from the audio thread to a worker that renders network listeners: what all of them share.
///
/// Located at the beginning of a piece; the parts behind it are found by a ``SharedBlockLayout``.
struct SharedBlock: BitwiseCopyable {
    var frames: Int
    /// Number of microphones; 0 without a recording.
    var channels: Int
    /// Version of the array, in the count of ``ArrayEdit``.
    var arrayVersion: Int64
    /// Rises with every change of the array or of the feed.
    var arrayChanges: Int
    /// The engine's sample count at the first frame.
    var sample: Int64
    var time: BlockTime
    /// Time at which the block's last frame leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when unknown.
    var end: UInt64
    /// Ceiling of the protecting limiters, a factor.
    var ceiling: Float
    /// Hertz; 0 for each method's own rule.
    var crossover: Float
    /// Beats per minute.
    var tempo: Float
    var place: RenderPlace
    /// Whether live input follows.
    var hasInput: Bool
    /// Number of audible objects.
    var objects: Int
    var shadow: SphereShadow
    /// Temperature and humidity of the air.
    var air: SIMD2<Float>
    /// The room that the objects are in; nil for a free field.
    var room: RoomGeometry?

    @_noLocks @_noAllocation
    init(
        frames: Int, channels: Int, arrayVersion: Int64, arrayChanges: Int, sample: Int64, time: BlockTime, end: UInt64, ceiling: Float,
        crossover: Float, tempo: Float, place: RenderPlace, hasInput: Bool, objects: Int, shadow: SphereShadow,
        air: SIMD2<Float>, room: RoomGeometry?
    ) {
        self.frames = frames
        self.channels = channels
        self.arrayVersion = arrayVersion
        self.arrayChanges = arrayChanges
        self.sample = sample
        self.time = time
        self.end = end
        self.ceiling = ceiling
        self.crossover = crossover
        self.tempo = tempo
        self.place = place
        self.hasInput = hasInput
        self.objects = objects
        self.shadow = shadow
        self.air = air
        self.room = room
    }
}

/// Places of the parts of a piece that holds a ``SharedBlock``.
struct SharedBlockLayout: BitwiseCopyable {
    /// Frames of zeros behind the microphones' samples, since whole lanes are read.
    static var padding: Int { @_noLocks @_noAllocation get { 8 } }

    private let objects: Int
    private let samples: Int
    private let input: Int
    private let rows: Int
    private let sites: Int
    private let sources: Int
    /// Distance between the sources of two objects, floats.
    let sourceStride: Int
    /// Distance between both sides of the live input, floats.
    private let inputStride: Int
    /// Size of a piece.
    let bytes: Int

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - objects: number of sound objects.
    init(period: Int, objects number: Int) {
        let count = PreparedObjects.places(objects: number)
        func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
        let float = MemoryLayout<Float>.size
        objects = aligned(MemoryLayout<SharedBlock>.size)
        samples = objects + aligned(count * MemoryLayout<ActiveObject>.stride)
        input = samples + aligned((period + Self.padding) * MicrophoneArray.capacity * float)
        inputStride = roundedToLanes(period)
        rows = input + aligned(2 * inputStride * float)
        sites = rows + aligned(count * PreparedObjects.length(frames: period) * float)
        sources = sites + aligned(number * MemoryLayout<ObjectSite>.stride)
        sourceStride = roundedToLanes(period)
        bytes = sources + aligned(count * sourceStride * float)
    }

    @_noLocks @_noAllocation
    func block(_ piece: UnsafeMutableRawPointer) -> UnsafeMutablePointer<SharedBlock> { piece.assumingMemoryBound(to: SharedBlock.self) }

    /// The audible objects.
    @_noLocks @_noAllocation
    func objects(_ piece: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ActiveObject> {
        (piece + objects).assumingMemoryBound(to: ActiveObject.self)
    }

    /// Interleaved microphones, calibrated.
    @_noLocks @_noAllocation
    func samples(_ piece: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> { (piece + samples).assumingMemoryBound(to: Float.self) }

    /// One side of the live input.
    @_noLocks @_noAllocation
    func input(_ piece: UnsafeMutableRawPointer, side: Int) -> UnsafeMutablePointer<Float> {
        (piece + input).assumingMemoryBound(to: Float.self) + side &* inputStride
    }

    /// The sound of the audible objects, as ``PreparedObjects`` copies it.
    @_noLocks @_noAllocation
    func rows(_ piece: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float> { (piece + rows).assumingMemoryBound(to: Float.self) }

    /// All objects, as they are heard from anywhere.
    @_noLocks @_noAllocation
    func sites(_ piece: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ObjectSite> {
        (piece + sites).assumingMemoryBound(to: ObjectSite.self)
    }

    /// Row of ``ObjectSources``, such as the sound of an object at 1 m.
    @_noLocks @_noAllocation
    func source(_ piece: UnsafeMutableRawPointer, _ object: Int) -> UnsafeMutablePointer<Float> {
        (piece + sources).assumingMemoryBound(to: Float.self) + object &* sourceStride
    }
}
