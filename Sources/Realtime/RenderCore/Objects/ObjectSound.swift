/// Sound of one object, handed to the renderer and back to be freed.
public struct ObjectSound: ~Copyable, Sendable {
    /// Number of the object, counted from 0.
    package let object: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    /// Length of the looped sound, frames; 0 for none.
    let frames: Int
    /// Frames of silence before the looped sound begins.
    let delay: Int
    /// Channel of the live input, counted from 0; negative for none.
    let channel: Int
    // SAFETY: `owner` keeps it alive; used by the thread that renders alone.
    /// The frames of live sound that wait for a block; nil for sound of another kind.
    package nonisolated(unsafe) let live: UnsafeMutablePointer<LiveBlock>?
    private let owner: (any AnyObject & Sendable)?

    /// A looped sound in memory.
    /// - Parameters:
    ///   - mono: samples at the engine's rate; the end continues at the beginning.
    ///   - delay: frames of silence before the first of them.
    public init(object: Int, mono: [Float], delay: Int = 0) {
        self.object = object
        self.delay = delay
        frames = mono.count
        channel = -1
        (live, owner) = (nil, nil)
        samples = .allocate(capacity: max(1, mono.count))
        samples.initialize(from: mono, count: mono.count)
    }

    /// A channel of the live input.
    /// - Parameter channel: 0 or 1; nil for silence.
    public init(object: Int, channel: Int?) {
        self.object = object
        (frames, delay) = (0, 0)
        self.channel = channel ?? -1
        (live, owner) = (nil, nil)
        samples = .allocate(capacity: 1)
        samples.initialize(to: 0)
    }

    /// Live sound, whose frames are offered before each block.
    /// - Parameter owner: keeps `live`.
    package init(object: Int, live: UnsafeMutablePointer<LiveBlock>, owner: any AnyObject & Sendable) {
        self.object = object
        (frames, delay) = (0, 0)
        channel = -1
        (self.live, self.owner) = (live, owner)
        samples = .allocate(capacity: 1)
        samples.initialize(to: 0)
    }

    deinit { samples.deallocate() }

    /// Whether the sound is live.
    var isLive: Bool { @_noLocks @_noAllocation get { live != nil } }

    /// Whether live sound is or can be heard now.
    @_noLocks @_noAllocation
    mutating func isHeard() -> Bool { live?.pointee.isHeard ?? false }

    /// Reads a block of live sound.
    @_noLocks @_noAllocation
    mutating func read(_ row: UnsafeMutablePointer<Float>, frames: Int) { live?.pointee.read(row, frames: frames) }

    /// Lets a block of live sound pass unheard.
    @_noLocks @_noAllocation
    mutating func pass(frames: Int, isMuted: Bool) { live?.pointee.pass(frames: frames, isMuted: isMuted) }
}
