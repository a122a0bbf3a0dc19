internal import Render

/// Memory for a renderer while the device's thread uses it, until it is taken back.
// SAFETY: only the device's thread uses the pointer until it calls `release`; `full` admits a single taker.
final class RendererSlot<Renderer: BlockRenderer & ~Copyable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Renderer>
    private let full = Flag()
    private let released = Flag()

    init(_ renderer: consuming Renderer) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: renderer)
        full.raise()
    }

    /// Marks the renderer as no longer used by the device's thread.
    func release() { released.raise() }

    /// Returns nil if the renderer is not released, or was taken before.
    func take() -> Renderer? { released.isRaised && full.lower() ? pointer.move() : nil }

    deinit {
        if full.isRaised { pointer.deinitialize(count: 1) }
        pointer.deallocate()
    }
}
