internal import Crossing
internal import DSP

/// Arrangement of slots, handed over by the control side for every edit. It owns no effects; slots that are also in the
/// next plan continue without interruption.
public struct RackPlan: ~Copyable, Sendable {
    // SAFETY: the targets of the pointers are kept alive by `keepers`, and by those of the next plan.
    struct Slot: BitwiseCopyable, @unchecked Sendable {
        var slot: UnsafeMutablePointer<RackSlot>
        var stage: RackSlot.Stage
    }

    // SAFETY: as above.
    struct Row: BitwiseCopyable, @unchecked Sendable {
        /// Nil for a row that has never had a parallel one.
        var row: UnsafeMutablePointer<RackRow>?
        var mix: TargetRow.View
        var slots: Int
        /// Samples that align the row with the slowest parallel one.
        var delay: Int
        var isLeaving: Bool
        /// Set to 1 when nothing of the row is audible any more.
        var gone: TargetRow.View
    }

    // SAFETY: as above.
    struct Place: BitwiseCopyable, @unchecked Sendable {
        /// Nil for a place that has never had parallel rows.
        var place: UnsafeMutablePointer<RackPlace>?
        var rows: Int
        var isLeaving: Bool
    }

    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let places: UnsafeMutableBufferPointer<Place>
    // SAFETY: as above.
    nonisolated(unsafe) let rows: UnsafeMutableBufferPointer<Row>
    // SAFETY: as above.
    nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Slot>
    /// Latency of the rack, samples.
    public let latency: Int
    /// As ``RackSwitches`` counts.
    let switches: TargetRow.View
    // SAFETY: as above. Nil for a rack that has never been bypassed.
    nonisolated(unsafe) let bypass: UnsafeMutablePointer<RackBypass>?
    private let keepers: [any AnyObject & Sendable]

    init(
        places: [Place], rows: [Row], slots: [Slot], latency: Int, switches: TargetRow.View,
        bypass: UnsafeMutablePointer<RackBypass>?, keepers: [any AnyObject & Sendable]
    ) {
        func copy<Element>(_ values: [Element]) -> UnsafeMutableBufferPointer<Element> {
            let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: values.count)
            _ = buffer.initialize(from: values)
            return buffer
        }
        self.places = copy(places)
        self.rows = copy(rows)
        self.slots = copy(slots)
        self.latency = latency
        self.switches = switches
        self.bypass = bypass
        self.keepers = keepers
    }

    /// Samples after the end of the input until the output is below -60 dB.
    func tail(tempo: Float) -> Int {
        var (row, slot, sum) = (0, 0, 0)
        for place in places {
            var longest = 0
            for entry in rows[row..<row + place.rows] {
                longest = max(longest, slots[slot..<slot + entry.slots].reduce(0) { $0 + $1.slot.pointee.tail(tempo: tempo) })
                slot += entry.slots
            }
            row += place.rows
            sum += longest
        }
        return sum
    }

    /// Number of times that an effect was cleared because it had left the range of plausible sound.
    var counts: RangeCounts { slots.reduce(RangeCounts()) { $0 + $1.slot.pointee.counts } }

    deinit {
        places.deallocate()
        rows.deallocate()
        slots.deallocate()
    }
}
