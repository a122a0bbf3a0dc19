internal import DSP

/// Absorption by the air on the path of one object's sound. Left out, to the bit, while it is off.
struct AirFilter: BitwiseCopyable {
    /// 0 without absorption to 1 as the air absorbs.
    var share = Smoother(0)
    /// Whether the last block was filtered.
    private(set) var isOn = false
    private var filter = OctaveFilter()
    private var state = OctaveFilterState()
    /// Distance times share that `filter` was designed for, and the air's number.
    private var designed: Float = 0
    private var changes = 0

    @_noLocks @_noAllocation
    init() {}

    /// Filters a block in place.
    ///
    /// - Parameters:
    ///   - wanted: share of absorption, 0 to 1.
    ///   - metres: length of the path.
    ///   - isFresh: whether the path begins with this block: the filter applies at once, without a fade.
    @_noLocks @_noAllocation
    mutating func process(
        _ row: UnsafeMutablePointer<Float>, to wanted: Float, metres: Float, isFresh: Bool, _ common: borrowing Propagation, _ block: Block
    ) {
        guard wanted != 0 || share.value != 0 else { return isOn = false }
        if !isOn { (filter, state, designed) = (OctaveFilter(), OctaveFilterState(), 0) }
        share.advance(to: wanted, share: block.gainShare, tolerance: 1e-4)
        let way = metres * share.value
        let previous = filter
        if way != designed || changes != common.changes {
            filter = common.design.pointee.filter(common.absorption * -way)
            (designed, changes) = (way, common.changes)
        }
        state.process(row, frames: block.frames, from: isFresh ? filter : previous, to: filter)
        isOn = true
    }
}
