import Crossing

/// What the first listener hears, from the engine's first frame on, as network listeners get it.
final class NetworkEars {
    private var ring: FrameRing.Consumer
    private(set) var samples: [Float] = []

    init(_ ring: consuming FrameRing.Consumer) { self.ring = ring }

    func collect() {
        let count = ring.available
        guard count > 0 else { return }
        var new = [Float](repeating: 0, count: 2 * count)
        _ = ring.read(&new, frames: count)
        samples += new
    }
}
