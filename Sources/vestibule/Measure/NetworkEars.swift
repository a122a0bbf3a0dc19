import Crossing

/// What the first listener hears, from the engine's first frame on, as network listeners get it.
final class NetworkEars {
    private var ring: FrameRing.Consumer
    private(set) var samples: [Float] = []
    /// Whether the ring was full once: what did not fit is missing, and all after it stands too early.
    private(set) var isTorn = false

    init(_ ring: consuming FrameRing.Consumer) { self.ring = ring }

    func collect() {
        let count = ring.available
        guard count > 0 else { return }
        if count == ring.capacity { isTorn = true }
        var new = [Float](repeating: 0, count: 2 * count)
        _ = ring.read(&new, frames: count)
        samples += new
    }
}
