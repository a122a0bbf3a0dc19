internal import Crossing
internal import Effects
internal import Parameters
internal import RackCore

/// A place of a rack: one row or several parallel ones.
final class PlaceItem {
    var rows: [RowItem]
    /// Nil as long as the place has never had more than one row.
    var copies: [Box<RackPlace>]?
    var isLeaving = false
    let enters: Bool
    var isBranched: Bool

    init(_ rows: [RowItem], isBranched: Bool, enters: Bool) {
        self.rows = rows
        self.isBranched = isBranched
        self.enters = enters
    }
}

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

/// Control side of a slot in use: one effect for each listener, with shared parameters.
final class SlotItem {
    let number: Int
    let generation: Int
    let controls: TargetRow
    let copies: [(slot: Box<RackSlot>, meters: TargetRow)]
    let latency: Int
    var stage = RackSlot.Stage.live

    init(
        _ number: Int, _ slot: RackModel.Slot, copies: Int, rate: Float, largestBlock: Int, enters: Bool,
        response: ResponseSpectra?
    ) {
        self.number = number
        generation = slot.generation
        let description = slot.description
        controls = TargetRow([description.bypass ? 1 : 0, description.mix] + description.values)
        self.copies = (0..<copies).map { _ in
            let meters = TargetRow(.init(repeating: 0, count: SlotMeter.count))
            let slot = RackSlot(
                description, rate: rate, largestBlock: largestBlock, response: response, enters: enters)
            return (Box(slot), meters)
        }
        latency = self.copies[0].slot.pointer.pointee.latency
    }

    /// True when the slot has been removed and has rung out.
    var isGone: Bool { stage != .live && copies.allSatisfy { $0.meters[SlotMeter.gone] == 1 } }
}

/// Keeps a noncopyable value at one address while the box is referenced.
// SAFETY: the control side creates, holds and frees boxes; their contents belong to the realtime side while a plan that
// refers to them is in flight or in use.
final class Box<Value: ~Copyable & Sendable>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
