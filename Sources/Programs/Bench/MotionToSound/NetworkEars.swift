import Crossing

/// Sound of the first listener from the engine's first frame on, as sent to network listeners.
final class NetworkEars {
    private var ring: FrameRing.Consumer
    private(set) var samples: [Float] = []
    /// Whether the ring has overflowed: frames are missing, and all later ones have wrong positions.
    private(set) var hasOverflowed = false

    init(_ ring: consuming FrameRing.Consumer) { self.ring = ring }

    func collect() {
        let count = ring.available
        guard count > 0 else { return }
        if count == ring.capacity { hasOverflowed = true }
        var new = [Float](repeating: 0, count: 2 * count)
        _ = ring.read(&new, frames: count)
        samples += new
    }
}
