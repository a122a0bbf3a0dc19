internal import Render
internal import Synchronization

/// Memory for a renderer while a device's thread uses it, until it is taken back.
///
/// The device's thread enters before it uses the renderer and leaves afterwards: for each block, or once for a whole run. Between two
/// blocks the renderer can be taken, also when the thread waits in a driver that never returns.
// SAFETY: only the thread that has entered uses the pointer, or the one that has claimed it, forever.
final class RendererSlot<Renderer: BlockRenderer & ~Copyable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Renderer>
    /// Number of listeners whose ears the renderer renders for a device.
    let listeners: Int
    /// Raised when the sound is to be faded out, and when it is.
    let fading = Flag()
    let faded = Flag()
    /// 0 while nobody uses the renderer, 1 while somebody does, 2 when it has been claimed.
    private let state = Atomic<UInt8>(0)

    init(_ renderer: consuming Renderer) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: renderer)
        listeners = pointer.pointee.wiredListeners
    }

    /// Returns false when the renderer has been claimed.
    @_noLocks @_noAllocation
    func enter() -> Bool {
        state.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
    }

    @_noLocks @_noAllocation
    func leave() { state.store(0, ordering: .releasing) }

    /// Makes the calling thread the renderer's owner, who has to move it out of ``pointer``.
    /// - Returns: false while it is in use, and when it was claimed before.
    func claim() -> Bool {
        state.compareExchange(expected: 0, desired: 2, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
    }

    deinit {
        if state.load(ordering: .acquiring) != 2 { pointer.deinitialize(count: 1) }
        pointer.deallocate()
    }
}
