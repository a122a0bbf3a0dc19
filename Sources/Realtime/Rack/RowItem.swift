internal import Crossing
internal import RackCore

/// A row of slots.
final class RowItem {
    var slots: [SlotItem]
    /// Nil as long as the row has never had a parallel one.
    var copies: [(row: Box<RackRow>, gone: TargetRow)]?
    let mix: TargetRow
    var delay = 0
    var isLeaving = false
    let enters: Bool

    init(_ slots: [SlotItem], mix: Float, enters: Bool) {
        self.slots = slots
        self.mix = TargetRow([mix])
        self.enters = enters
    }

    /// Latency of the row, samples.
    var latency: Int { slots.reduce(0) { $0 + ($1.stage == .live ? $1.latency : 0) } }

    var isGone: Bool { isLeaving && copies?.allSatisfy { $0.gone[0] == 1 } ?? true }
}
