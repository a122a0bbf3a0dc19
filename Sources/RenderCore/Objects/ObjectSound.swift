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

    /// A looped sound in memory.
    /// - Parameter mono: samples at the engine's rate; the end continues at the beginning.
    public init(object: Int, mono: [Float]) {
        self.object = object
        frames = mono.count
        channel = -1
        samples = .allocate(capacity: max(1, mono.count))
        samples.initialize(from: mono, count: mono.count)
    }

    /// A channel of the live input.
    /// - Parameter channel: 0 or 1; nil for silence.
    public init(object: Int, channel: Int?) {
        self.object = object
        frames = 0
        self.channel = channel ?? -1
        samples = .allocate(capacity: 1)
        samples.initialize(to: 0)
    }

    deinit { samples.deallocate() }
}
