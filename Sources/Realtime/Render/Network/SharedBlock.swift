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
