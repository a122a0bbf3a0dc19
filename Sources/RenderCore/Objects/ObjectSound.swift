public import LiveInputs

/// Sound of one object, handed to the renderer and back to be freed.
public struct ObjectSound: ~Copyable, Sendable {
    /// Number of the object, counted from 0.
    package let object: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
    /// Length of the looped sound, frames; 0 for none.
    let frames: Int
    /// Channel of the live input, counted from 0; negative for none.
    let channel: Int
    /// Whether the sound comes live from another thread.
    let isLive: Bool
    private var live: LiveSound?

    /// A looped sound in memory.
    /// - Parameter mono: samples at the engine's rate; the end continues at the beginning.
    public init(object: Int, mono: [Float]) {
        self.object = object
        frames = mono.count
        channel = -1
        isLive = false
        live = nil
        samples = .allocate(capacity: max(1, mono.count))
        samples.initialize(from: mono, count: mono.count)
    }

    /// A channel of the live input.
    /// - Parameter channel: 0 or 1; nil for silence.
    public init(object: Int, channel: Int?) {
        self.object = object
        frames = 0
        self.channel = channel ?? -1
        isLive = false
        live = nil
        samples = .allocate(capacity: 1)
        samples.initialize(to: 0)
    }

    /// Live sound from another thread.
    public init(object: Int, live: consuming LiveSound) {
        self.object = object
        frames = 0
        channel = -1
        isLive = true
        self.live = consume live
        samples = .allocate(capacity: 1)
        samples.initialize(to: 0)
    }

    deinit { samples.deallocate() }

    /// Whether live sound is or can be heard now.
    @_noLocks @_noAllocation
    mutating func isHeard() -> Bool { live?.isHeard() ?? false }

    /// Reads a block of live sound.
    @_noLocks @_noAllocation
    mutating func read(_ row: UnsafeMutablePointer<Float>, frames: Int) { live?.read(row, frames: frames) }

    /// Lets a block of live sound pass unheard.
    @_noLocks @_noAllocation
    mutating func pass(frames: Int, isMuted: Bool) { live?.pass(frames: frames, isMuted: isMuted) }
}
