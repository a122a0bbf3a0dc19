internal import CJACK
internal import CRealtime

/// The frames of a live array, gathered from its ports. On JACK's process thread.
// SAFETY: used by the process thread only, and by the initialiser before.
final class JACKArrayGathering: @unchecked Sendable {
    let count: Int
    private let ports: UnsafeMutablePointer<OpaquePointer>
    /// The ports' buffers in the current cycle.
    private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    /// - Parameter frames: largest number of frames that are gathered at once.
    init(_ ports: [OpaquePointer], frames: Int) {
        count = ports.count
        self.ports = .allocate(capacity: max(1, count))
        buffers = .allocate(capacity: max(1, count))
        samples = .allocate(capacity: max(1, count * frames))
        for (place, port) in ports.enumerated() { (self.ports + place).initialize(to: port) }
    }

    deinit {
        ports.deallocate()
        buffers.deallocate()
        samples.deallocate()
    }

    /// Asks for the buffers of the current cycle.
    func fetch(_ frames: Int) {
        for port in 0..<count {
            buffers[port] = jack_port_get_buffer(ports[port], jack_nframes_t(frames)).assumingMemoryBound(to: Float.self)
        }
    }

    /// Interleaved frames from a place in the cycle on.
    func interleave(_ place: Int, _ frames: Int) -> UnsafeMutablePointer<Float> {
        for port in 0..<count {
            let buffer = buffers[port] + place
            for frame in 0..<frames { samples[frame &* count &+ port] = buffer[frame] }
        }
        return samples
    }
}
