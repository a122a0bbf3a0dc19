public import Render
internal import Synchronization

/// Memory for a renderer that a device's thread uses, between being put there and being taken back.
///
/// The device's thread enters before it uses the renderer and leaves afterwards: for each block, or once for a whole run. Between two
/// blocks the renderer can be taken, also when the thread waits in a driver that never returns.
// SAFETY: the pointer is used only by the thread that has entered, or, once claimed, only by the claiming thread.
public final class RendererHolder<Renderer: BlockRenderer & ~Copyable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Renderer>
    /// Number of listeners whose ears the renderer renders for a device.
    let listeners: Int
    /// Raised when the sound is to be faded out, and when it has been.
    let fading = Flag()
    let faded = Flag()
    /// 0 while the renderer is free, 1 while it is in use, 2 while there is none.
    private let state: Atomic<UInt8>
    private let newest = Atomic<UInt64>(0)

    public init(_ renderer: consuming Renderer) {
        listeners = renderer.wiredListeners
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: renderer)
        state = Atomic(0)
    }

    /// A holder for a renderer that comes later.
    ///
    /// - Parameter listeners: number of listeners whose ears that renderer renders.
    init(listeners: Int) {
        self.listeners = listeners
        pointer = .allocate(capacity: 1)
        state = Atomic(2)
    }

    /// Puts a renderer into an empty holder.
    func put(_ renderer: consuming Renderer) {
        pointer.initialize(to: renderer)
        state.store(0, ordering: .releasing)
    }

    /// CLOCK_MONOTONIC nanoseconds of the newest block, silent ones included; 0 before the first.
    var newestBlock: UInt64 { newest.load(ordering: .relaxed) }

    @_noLocks @_noAllocation
    func note(block time: UInt64) { newest.store(time, ordering: .relaxed) }

    /// Whether a renderer is still to come, or has been taken.
    var isEmpty: Bool { state.load(ordering: .acquiring) == 2 }

    /// Returns false when there is no renderer.
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
