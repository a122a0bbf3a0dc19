package import DSP

/// Arrangement of slots in rows and places. It owns no effects: slots that are also in the next arrangement continue without
/// interruption.
///
/// Plain values: the owner sets gains and the bypass before a block, and reads peaks and ``Row/isGone`` after it.
package struct RackArrangement: ~Copyable, Sendable {
    // SAFETY: the owner keeps the targets of the pointers alive.
    package struct Slot: BitwiseCopyable, @unchecked Sendable {
        package var slot: UnsafeMutablePointer<RackSlot>
        package var stage: RackSlot.Stage

        package init(slot: UnsafeMutablePointer<RackSlot>, stage: RackSlot.Stage) {
            self.slot = slot
            self.stage = stage
        }
    }

    // SAFETY: the owner keeps the targets of the pointers alive.
    package struct Row: BitwiseCopyable, @unchecked Sendable {
        /// Nil for a row that has never had a parallel one.
        var row: UnsafeMutablePointer<RackRow>?
        /// Gain of the row, a factor.
        package var mix: Float
        package var slots: Int
        /// Samples that align the row with the slowest parallel one.
        var delay: Int
        var isLeaving: Bool
        /// Whether nothing of a row that leaves is audible any more.
        package internal(set) var isGone = false

        package init(row: UnsafeMutablePointer<RackRow>?, mix: Float, slots: Int, delay: Int, isLeaving: Bool) {
            self.row = row
            self.mix = mix
            self.slots = slots
            self.delay = delay
            self.isLeaving = isLeaving
        }
    }

    // SAFETY: the owner keeps the targets of the pointers alive.
    package struct Place: BitwiseCopyable, @unchecked Sendable {
        /// Nil for a place that has never had parallel rows.
        var place: UnsafeMutablePointer<RackPlace>?
        var rows: Int
        var isLeaving: Bool

        package init(place: UnsafeMutablePointer<RackPlace>?, rows: Int, isLeaving: Bool) {
            self.place = place
            self.rows = rows
            self.isLeaving = isLeaving
        }
    }

    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let places: UnsafeMutableBufferPointer<Place>
    // SAFETY: as above.
    package nonisolated(unsafe) let rows: UnsafeMutableBufferPointer<Row>
    // SAFETY: as above.
    package nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Slot>
    /// Latency of the rack, samples.
    package let latency: Int
    // SAFETY: the owner keeps it alive. Nil for a rack that has never been bypassed.
    nonisolated(unsafe) let bypass: UnsafeMutablePointer<RackBypass>?
    /// Whether the whole rack is bypassed.
    package var isBypassed = false
    /// Largest samples of the last block before and after the rack.
    package internal(set) var peaks: (input: Float, output: Float) = (0, 0)

    package init(
        places: [Place], rows: [Row], slots: [Slot], latency: Int, bypass: UnsafeMutablePointer<RackBypass>?
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
        self.bypass = bypass
    }

    /// Whether the rack has any places; one without leaves sound unchanged.
    package var isActive: Bool { @_noLocks @_noAllocation get { places.count > 0 } }

    /// Samples after the end of the input until the output is below -60 dB.
    package func tail(tempo: Float) -> Int {
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
    package var counts: RangeCounts { slots.reduce(RangeCounts()) { $0 + $1.slot.pointee.counts } }

    deinit {
        places.deallocate()
        rows.deallocate()
        slots.deallocate()
    }
}

/// State of a place with parallel rows: the share of sound that bypasses it. It is 0 except while the place is added to
/// or removed from running sound.
package struct RackPlace: ~Copyable, Sendable {
    private var past: Smoother

    package init(enters: Bool) { past = Smoother(enters ? 1 : 0) }

    /// Advances by one block and returns the gain of the bypassing sound.
    @_noLocks @_noAllocation
    mutating func pass(_ wanted: Float, share: Float, frames: Int) -> Ramp {
        past.ramp(to: wanted, share: share, frames: frames, tolerance: RackRow.tolerance)
    }
}

/// State of a parallel row: the gains of its input and output. A row without parallel ones passes everything.
package struct RackRow: ~Copyable, Sendable {
    /// Distance to its target at which a fade ends.
    static var tolerance: Float { @_noLocks @_noAllocation get { 1e-3 } }

    /// Gain of the input; it fades to 0 when the row is removed.
    private(set) var send: Smoother
    private var gain: Smoother
    private var alignment: Alignment
    /// Frames without input.
    private(set) var quiet = 0

    package init(gain: Float, delay: Int, largestBlock: Int, enters: Bool) {
        send = Smoother(enters ? 0 : 1)
        self.gain = Smoother(gain)
        alignment = Alignment(delay: delay, largestBlock: largestBlock)
    }

    /// Advances by one block and returns the gains before and after the row.
    @_noLocks @_noAllocation
    mutating func advance(send wantedSend: Float, gain wantedGain: Float, share: Float, frames: Int) -> (send: Ramp, gain: Ramp) {
        let sends = send.ramp(to: wantedSend, share: share, frames: frames, tolerance: Self.tolerance)
        let gains = gain.ramp(to: wantedGain, share: share, frames: frames, tolerance: Self.tolerance)
        quiet = sends.isZero ? quiet &+ frames : 0
        return (sends, gains)
    }

    @_noLocks @_noAllocation
    mutating func align(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, delay: Int
    ) { alignment.process(left, right, frames: frames, delay: delay) }
}
