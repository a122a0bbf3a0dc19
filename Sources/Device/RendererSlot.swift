internal import Render

/// Holds a renderer in one place while the device's thread works on it, until somebody takes it back.
// SAFETY: the device's thread alone uses the pointer until it calls `release`; `full` lets one taker pass.
final class RendererSlot<Renderer: BlockRenderer & ~Copyable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Renderer>
    private let full = Flag()
    private let released = Flag()

    init(_ renderer: consuming Renderer) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: renderer)
        full.raise()
    }

    /// The device's thread does not touch the renderer any more.
    func release() { released.raise() }

    /// Nil when it is not released, or was taken before.
    func take() -> Renderer? { released.isRaised && full.lower() ? pointer.move() : nil }

    deinit {
        if full.isRaised { pointer.deinitialize(count: 1) }
        pointer.deallocate()
    }
}
