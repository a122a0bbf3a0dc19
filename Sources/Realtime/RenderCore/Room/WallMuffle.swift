internal import Binaural
internal import CRealtime
internal import DSP

/// The wall between one object and the listeners: a filter, which follows the object smoothly through walls and around corners.
///
/// Left out, to the bit, while there is none.
struct WallMuffle: BitwiseCopyable {
    /// Decibels in the octaves.
    private var levels = SIMD8<Float>.zero
    private var filter = OctaveFilter()
    private var state = OctaveFilterState()
    private var isActive = false
    /// Remaining distance in decibels below which the target levels are adopted.
    private static var tolerance: Float { @_noLocks @_noAllocation get { 0.05 } }

    @_noLocks @_noAllocation
    init() {}

    /// Filters a block in place.
    ///
    /// - Parameters:
    ///   - wanted: levels behind the wall, decibels in the octaves; zeros for none.
    ///   - isFresh: whether the object was inaudible in the block before.
    @_noLocks @_noAllocation
    mutating func process(
        _ row: UnsafeMutablePointer<Float>, to wanted: SIMD8<Float>, isFresh: Bool, _ design: UnsafePointer<OctaveDesign>, block: Block
    ) {
        if isFresh { isActive = false }
        guard isActive || wanted != .zero else { return }
        if !isActive {
            (levels, filter, state) = (.zero, OctaveFilter(), OctaveFilterState())
            if isFresh {
                levels = wanted
                filter = design.pointee.filter(wanted)
            }
            isActive = true
        }
        let previous = filter
        if levels != wanted {
            levels = Smoother.next(levels, to: wanted, share: block.gainShare, tolerance: Self.tolerance)
            filter = levels == .zero ? OctaveFilter() : design.pointee.filter(levels)
        }
        state.process(row, frames: block.frames, from: previous, to: filter)
        // The filter's poles are those of the last levels: once these are zero, its state is cleared.
        if levels == .zero, wanted == .zero { isActive = false }
    }
}
