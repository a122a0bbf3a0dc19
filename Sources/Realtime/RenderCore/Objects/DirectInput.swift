internal import DSP

/// The live input as listeners hear it directly: without the channels that objects use.
struct DirectInput: ~Copyable, Sendable {
    /// Gains of both sides.
    private var gains = SIMD2<Float>(repeating: 1)
    private let rows: Rows

    /// - Parameter period: largest block, frames.
    init(period: Int) { rows = Rows(rows: 2, length: period) }

    /// Fades both sides of the input.
    ///
    /// - Parameter wanted: gains of both sides.
    @_noLocks @_noAllocation
    mutating func fade(_ input: InputView, to wanted: SIMD2<Float>, block: Block) -> InputView {
        let before = gains
        guard before != wanted || wanted != SIMD2(repeating: 1) else { return input }
        for side in 0..<2 {
            gains[side] = Smoother.next(before[side], to: wanted[side], share: block.gainShare, tolerance: 1e-5)
        }
        let (left, right) = (rows.row(0), rows.row(1))
        let ramp = VectorRamp(from: before, to: gains, frames: block.frames)
        for i in 0..<block.frames {
            let gains = ramp.value(at: i)
            left[i] = input.left[i] * gains[0]
            right[i] = input.right[i] * gains[1]
        }
        return InputView(left: left, right: right)
    }
}
