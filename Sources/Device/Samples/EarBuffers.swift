internal import CRealtime
internal import Render

/// Memory for one rendered block. For one thread at a time.
struct EarBuffers: ~Copyable {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    /// - Parameter frames: capacity of each ear in frames.
    init(frames: Int) {
        left = .allocate(capacity: frames)
        right = .allocate(capacity: frames)
        left.initialize(repeating: 0, count: frames)
        right.initialize(repeating: 0, count: frames)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    func silence(frames: Int) {
        left.update(repeating: 0, count: frames)
        right.update(repeating: 0, count: frames)
    }

    /// The single call of the renderer by a device; RealtimeSanitizer observes it.
    func render<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: UnsafeMutablePointer<Renderer>, frames: Int, at time: BlockTime
    ) {
        realtime_enter()
        renderer.pointee.render(left: left, right: right, frames: frames, at: time)
        realtime_exit()
    }
}
