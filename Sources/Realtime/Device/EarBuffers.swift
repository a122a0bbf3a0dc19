internal import CRealtime
internal import Render

/// Memory for one rendered block: a row for each ear of each listener. For one thread at a time.
struct EarBuffers: ~Copyable {
    let listeners: Int
    private let rows: UnsafeMutablePointer<Float>
    /// Samples from a row to the next.
    private let stride: Int

    /// - Parameter frames: capacity of each ear in frames.
    init(frames: Int, listeners: Int = 1) {
        self.listeners = listeners
        stride = frames
        rows = .allocate(capacity: max(1, 2 * listeners * frames))
        rows.initialize(repeating: 0, count: 2 * listeners * frames)
    }

    deinit { rows.deallocate() }

    /// The ears of the first listener.
    var left: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { row(0) } }
    var right: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { row(1) } }

    /// Row 2 n is the left ear of listener n, counted from 0, and row 2 n + 1 the right one.
    @_noLocks @_noAllocation
    func row(_ row: Int) -> UnsafeMutablePointer<Float> { rows + row &* stride }

    func silence(frames: Int) {
        for row in 0..<2 * listeners { self.row(row).update(repeating: 0, count: frames) }
    }

    /// Renders a block: the only call from devices to the renderer, which RealtimeSanitizer observes.
    func render<Renderer: BlockRenderer & ~Copyable>(
        _ renderer: UnsafeMutablePointer<Renderer>, frames: Int, at time: BlockTime
    ) {
        realtime_enter()
        renderer.pointee.render(EarRows(rows, stride: stride, listeners: listeners), frames: frames, at: time)
        realtime_exit()
    }
}
