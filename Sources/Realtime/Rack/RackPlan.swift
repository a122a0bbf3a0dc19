internal import Crossing
internal import DSP
package import RackCore

/// Arrangement of slots that the control side hands over for every edit, with the rows of numbers that both sides exchange while
/// it plays.
public struct RackPlan: ~Copyable, Sendable {
    // SAFETY: `keepers`, and those of the next plan, keep the slot and the rows of numbers alive.
    struct SlotLink: BitwiseCopyable, @unchecked Sendable {
        let slot: UnsafeMutablePointer<RackSlot>
        /// Indexed as in ``RackSlot/Control``.
        let controls: TargetRow.View
        /// Indexed as in ``SlotMeter``.
        let meters: TargetRow.View

        /// Reads the slot's controls.
        @_noLocks @_noAllocation
        func load() {
            let (target, count) = (slot.pointee.controls, slot.pointee.count)
            for i in 0..<count { target[i] = controls[i] }
        }

        /// Reports the last block.
        @_noLocks @_noAllocation
        func report() {
            meters.raise(SlotMeter.level, to: slot.pointee.level)
            meters.raise(SlotMeter.reduction, to: slot.pointee.reduction)
            if slot.pointee.isGone { meters.set(SlotMeter.gone, 1) }
            guard slot.pointee.wasReset else { return }
            meters.set(SlotMeter.resets, Float(slot.pointee.counts.resets))
            meters.set(SlotMeter.nonFinite, Float(slot.pointee.counts.nonFinite))
        }
    }

    // SAFETY: `keepers`, and those of the next plan, keep the rows of numbers alive.
    struct RowLink: BitwiseCopyable, @unchecked Sendable {
        let mix: TargetRow.View
        /// Set to 1 when nothing of the row is audible any more.
        let gone: TargetRow.View
    }

    // SAFETY: these three are owned by this value alone, which cannot be copied.
    package nonisolated(unsafe) let arrangement: UnsafeMutablePointer<RackArrangement>
    private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<SlotLink>
    private nonisolated(unsafe) let rows: UnsafeMutableBufferPointer<RowLink>
    /// Indexed as in ``RackSwitches``.
    private let switches: TargetRow.View
    private let keepers: [any AnyObject & Sendable]

    init(
        _ arrangement: consuming RackArrangement, slots: [SlotLink], rows: [RowLink], switches: TargetRow.View,
        keepers: [any AnyObject & Sendable]
    ) {
        self.arrangement = .allocate(capacity: 1)
        self.arrangement.initialize(to: arrangement)
        self.slots = .allocate(capacity: slots.count)
        _ = self.slots.initialize(from: slots)
        self.rows = .allocate(capacity: rows.count)
        _ = self.rows.initialize(from: rows)
        self.switches = switches
        self.keepers = keepers
    }

    deinit {
        arrangement.deinitialize(count: 1)
        arrangement.deallocate()
        slots.deallocate()
        rows.deallocate()
    }

    /// Reads the numbers of the control side, before a block.
    @_noLocks @_noAllocation
    package func load() {
        let (arrangement, slots, rows) = (arrangement, slots, rows)
        for i in 0..<slots.count { slots[i].load() }
        for i in 0..<rows.count { arrangement.pointee.rows[i].mix = rows[i].mix[0] }
        arrangement.pointee.isBypassed = switches[RackSwitches.bypass] > 0
    }

    /// Reports a block to the control side, after it.
    @_noLocks @_noAllocation
    package func report() {
        let (arrangement, slots, rows) = (arrangement, slots, rows)
        for i in 0..<slots.count { slots[i].report() }
        for i in 0..<rows.count where arrangement.pointee.rows[i].isGone { rows[i].gone.set(0, 1) }
        switches.raise(RackSwitches.input, to: arrangement.pointee.peaks.input)
        switches.raise(RackSwitches.output, to: arrangement.pointee.peaks.output)
    }
}

/// Numbers of a whole rack that the control side and the audio thread exchange, for one listener.
enum RackSwitches {
    /// Indices: whether the rack is bypassed, and the largest samples before and after it since they were read.
    static var bypass: Int { @_noLocks @_noAllocation get { 0 } }
    static var input: Int { @_noLocks @_noAllocation get { 1 } }
    static var output: Int { @_noLocks @_noAllocation get { 2 } }

    static func makeRow() -> TargetRow { TargetRow([0, 0, 0]) }
}

/// Indices in a slot's row of meters.
enum SlotMeter {
    /// Largest sample since it was read.
    static var level: Int { @_noLocks @_noAllocation get { 0 } }
    /// Largest gain reduction since it was read, dB.
    static var reduction: Int { @_noLocks @_noAllocation get { 1 } }
    /// 1 when a slot that was removed has become inaudible.
    static var gone: Int { @_noLocks @_noAllocation get { 2 } }
    /// Number of times that the effect was cleared because its output had left the range of plausible sound, and the number of these in
    /// which its samples were not finite.
    static var resets: Int { @_noLocks @_noAllocation get { 3 } }
    static var nonFinite: Int { @_noLocks @_noAllocation get { 4 } }
    static var count: Int { 5 }
}
