internal import DSP

/// Share of one object that is encoded onto the array, which changes by a crossfade; the rest is rendered for each listener.
struct EncodedShare: BitwiseCopyable {
    /// The share over the current block.
    private(set) var ramp = Ramp(from: 0, step: 0)
    private var reached: Float = 0
    /// Frames for which listeners still hear the rest after it has faded out: it passes delays and filters.
    private var remaining = 0
    /// Whether listeners hear the rest in the current block.
    private(set) var isDirect = true
    /// Whether they did not hear it in the block before.
    private(set) var begins = false

    @_noLocks @_noAllocation
    init() {}

    /// The share that is rendered for each listener.
    var rest: Ramp { @_noLocks @_noAllocation get { Ramp(from: 1 - ramp.from, step: 0 - ramp.step) } }

    /// Advances by one block.
    ///
    /// - Parameters:
    ///   - isFresh: whether the object was inaudible in the block before: there is nothing to crossfade from.
    ///   - tail: frames for which the rest is heard after its end.
    @_noLocks @_noAllocation
    mutating func advance(to wanted: Float, isFresh: Bool, tail: Int, block: Block) {
        let before = isFresh ? wanted : reached
        let wasDirect = isDirect && !isFresh
        reached = Ramp.approach(wanted, from: before, step: block.seconds / ObjectScene.fade)
        ramp = Ramp(from: before, to: reached, frames: block.frames)
        remaining = !ramp.isOne ? tail : isFresh ? 0 : max(0, remaining &- block.frames)
        isDirect = !ramp.isOne || remaining > 0
        begins = isDirect && !wasDirect
    }
}
