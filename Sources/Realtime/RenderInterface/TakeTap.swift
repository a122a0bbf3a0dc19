public import Crossing

/// The renderer's end of one source of a take: a ring of sound that always holds the latest seconds.
///
/// The other end reads frames with the sample of the engine at which each was rendered: a block for which there is no room is lost
/// as a whole, and the next one begins with a ``TakeMark``.
public struct TakeTap: ~Copyable, Sendable {
    /// Place in the renderer's table; see ``TakeSource/place``.
    public let place: Int
    /// Samples per frame; 0 for a tap that only empties its place.
    public let channels: Int
    private var frames: FrameRing.Producer
    private var marks: Ring<TakeMark>.Producer
    private var next: Int64 = .min
    private var written: Int64 = 0

    /// The other end.
    @frozen
    public struct Outlet: ~Copyable, Sendable {
        public var frames: FrameRing.Consumer
        public var marks: Ring<TakeMark>.Consumer
    }

    /// Makes both ends.
    /// - Parameter capacity: frames that fit; a power of two.
    public static func pair(_ source: TakeSource, channels: Int, capacity: Int) -> TakePair {
        let ring = FrameRing(channels: channels, capacity: capacity)
        let marks = Ring<TakeMark>(capacity: 256)
        return TakePair(
            tap: TakeTap(place: source.place, channels: channels, frames: ring.producer, marks: marks.producer),
            outlet: Outlet(frames: ring.consumer, marks: marks.consumer))
    }

    /// A tap that empties the place of a source.
    public static func none(_ source: TakeSource) -> TakeTap {
        let ring = FrameRing(channels: 1, capacity: 1)
        let marks = Ring<TakeMark>(capacity: 1)
        return TakeTap(place: source.place, channels: 0, frames: ring.producer, marks: marks.producer)
    }

    private init(place: Int, channels: Int, frames: consuming FrameRing.Producer, marks: consuming Ring<TakeMark>.Producer) {
        self.place = place
        self.channels = channels
        self.frames = frames
        self.marks = marks
    }

    /// - Parameters:
    ///   - interleaved: `count` frames of ``channels`` samples.
    ///   - sample: sample of the engine at which they begin.
    @_noLocks @_noAllocation
    public mutating func write(_ interleaved: UnsafePointer<Float>, frames count: Int, at sample: Int64) {
        guard begin(count, at: sample) else { return }
        _ = frames.write(interleaved, frames: count)
    }

    /// Writes two channels, given by a row each.
    @_noLocks @_noAllocation
    public mutating func write(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames count: Int, at sample: Int64) {
        guard begin(count, at: sample) else { return }
        _ = frames.write(left, right, frames: count)
    }

    /// Whether there is room for a block, which is marked if it does not continue the one before.
    @_noLocks @_noAllocation
    private mutating func begin(_ count: Int, at sample: Int64) -> Bool {
        guard frames.free >= count else { return false }
        if sample != next {
            guard marks.push(TakeMark(index: written, sample: sample)) else { return false }
        }
        written &+= Int64(count)
        next = sample &+ Int64(count)
        return true
    }
}

/// Both ends of a source of a take.
@frozen
public struct TakePair: ~Copyable, Sendable {
    public let tap: TakeTap
    public let outlet: TakeTap.Outlet
}

/// A place in a tap's ring at which frames begin that do not continue those before them.
public struct TakeMark: BitwiseCopyable, Sendable {
    /// Number of frames that were written into the ring before.
    public var index: Int64
    /// Sample of the engine at which the frames begin.
    public var sample: Int64

    @_noLocks @_noAllocation
    init(index: Int64, sample: Int64) {
        self.index = index
        self.sample = sample
    }
}

/// A source of sound that a take can contain, and its place in the renderer's table.
public enum TakeSource: Hashable, Sendable {
    /// The microphones of the recording or of the live array, calibrated, as they are heard.
    case array
    /// The live input before its gain and its rack.
    case input
    /// The live input after its rack.
    case processedInput
    /// The ears of a listener, counted from 0, after the limiter.
    case ears(Int)

    @_noLocks @_noAllocation
    public static func count(listeners: Int) -> Int { 3 + listeners }

    /// Place in the renderer's table.
    public var place: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .array: 0
            case .input: 1
            case .processedInput: 2
            case .ears(let listener): 3 &+ listener
            }
        }
    }
}
