internal import Binaural
internal import CRealtime
internal import DSP

/// Uniformly partitioned convolution (overlap-save) of the microphones with HRTF filters: the spectra of every microphone's
/// latest partitions, which all ears share, and their sum through one ear's filters.
struct PartitionedInput: ~Copyable, Sendable {
    /// Samples by which a row is longer than needed, so that its past is moved to the beginning less often.
    private static let room = 1024

    let frame: HRTFFrame
    private let transform: FourierTransform
    private let past: Int
    private let capacity: Int
    private let rows: Rows
    /// Number of spectra kept per microphone; the newest of the last block is at `newest`.
    private let kept: Int
    private let plane: Int
    // SAFETY: owned by this value alone, which cannot be copied; written only while a block is prepared.
    // Spectrum after spectrum: sixteen bins of all channels, real parts and imaginary parts of each, then the next sixteen.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    /// Memory for the analysis.
    private let work: PartitionWork
    /// Places at which partitions begin to be heard in the block.
    private(set) var hops: HopGrid
    private var newest = 0
    private var at: Int
    private var end: Int
    private var channels = 0
    private var wasNeeded = false

    init(period: Int, rate: Float) {
        frame = HRTFFrame(rate: rate)
        transform = FourierTransform(count: 2 * frame.part)
        past = 2 * frame.part
        capacity = past + period + Self.room
        rows = Rows(rows: MicrophoneArray.capacity, length: capacity)
        kept = HopGrid.most(period: period, hop: frame.part) + HRTFFrame.parts
        plane = frame.plane
        spectra = .allocateAligned(kept * MicrophoneArray.capacity * 2 * plane)
        work = PartitionWork(frame)
        hops = HopGrid(hop: frame.part)
        at = past
        end = past
    }

    deinit { spectra.deallocate() }

    /// Prepares a block.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart.
    ///   - isNeeded: whether a listener is rendered with HRTF filters; otherwise nothing is done.
    @_noLocks @_noAllocation
    mutating func prepare(_ input: UnsafePointer<Float>, channels: Int, frames: Int, isNeeded: Bool) {
        hops.advance(frames)
        let isNew = isNeeded && (!wasNeeded || channels != self.channels)
        wasNeeded = isNeeded
        guard isNeeded else { return }
        self.channels = channels
        if isNew { rest() }
        makeRoom(frames)
        Deinterleave.process(
            input, stride: channels, channels: channels, frames: frames, rows: rows.row(0) + at, rowStride: rows.stride)
        end = at &+ frames
        for hop in 0..<hops.count {
            newest = newest &+ 1 < kept ? newest &+ 1 : 0
            for channel in 0..<channels { analyse(channel, place: hops.place(hop)) }
        }
    }

    /// Starts from silence after not having been needed.
    @_noLocks @_noAllocation
    private mutating func rest() {
        for channel in 0..<channels { rt_zero(rows.row(channel), past) }
        rt_zero(spectra, kept &* MicrophoneArray.capacity &* 2 &* plane)
        at = past
        end = past
    }

    @_noLocks @_noAllocation
    private mutating func makeRoom(_ frames: Int) {
        at = end
        guard end &+ frames > capacity else { return }
        for channel in 0..<channels { rt_move(rows.row(channel), rows.row(channel) + (end &- past), past) }
        at = past
    }

    /// Computes the spectrum of the two partitions before `place` samples into the block.
    @_noLocks @_noAllocation
    private func analyse(_ channel: Int, place: Int) {
        rt_copy(work.time, rows.row(channel) + (at &+ place &- past), past)
        transform.forward(work.time, into: work.spectrum)
        let spectrum = work.spectrum
        var place = self.spectrum(newest) + channel &* 2 &* laneCount
        var bin = 0
        while bin <= frame.part {
            for i in 0..<laneCount {
                place[i] = spectrum[2 &* (bin &+ i)]
                place[laneCount &+ i] = spectrum[2 &* (bin &+ i) &+ 1]
            }
            place += Self.group
            bin = bin &+ laneCount
        }
    }

    /// Floats in sixteen bins of all channels.
    private static var group: Int { @_noLocks @_noAllocation get { MicrophoneArray.capacity &* 2 &* laneCount } }

    @_noLocks @_noAllocation
    private func spectrum(_ index: Int) -> UnsafeMutablePointer<Float> {
        spectra + index &* MicrophoneArray.capacity &* 2 &* plane
    }

    /// One ear's partition that begins to be heard at a hop, through the filters of one turn; valid until the next call
    /// with the same `work`.
    ///
    /// - Parameter hop: hop of this block, counted from 0.
    @_noLocks @_noAllocation
    borrowing func ear(
        _ ear: Ear, _ bank: FilterBankView, turn: Int, hop: Int, work: borrowing PartitionWork
    ) -> UnsafePointer<Float> {
        for place in 0..<bank.count { work.offsets[place] = bank.channel(turn: turn, place: place) &* 2 &* laneCount }
        let latest = newest &+ hop &+ 1 &- hops.count
        var filters = bank.filters(turn: turn, ear: ear)
        var bin = 0
        while bin < plane {
            multiply(filters, bank.count, latest, bin, work)
            filters += bank.count &* HRTFFrame.parts &* 2 &* laneCount
            bin = bin &+ laneCount
        }
        transform.inverse(work.spectrum, into: work.time)
        return UnsafePointer(work.time + frame.part)
    }

    /// Writes sixteen bins of the sum of all inputs times their filters into `work.spectrum`.
    @_noLocks @_noAllocation
    private func multiply(
        _ filters: UnsafePointer<Float>, _ count: Int, _ latest: Int, _ bin: Int, _ work: borrowing PartitionWork
    ) {
        let offsets = work.offsets
        // Four independent chains of multiply-adds, so that their latencies overlap.
        var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var filter = filters
        for part in 0..<HRTFFrame.parts {
            let wanted = latest &- part
            let inputs = UnsafePointer(spectrum(wanted < 0 ? wanted &+ kept : wanted) + (bin / laneCount) &* Self.group)
            for place in 0..<count {
                let input = inputs + offsets[place]
                let (x, y) = (input.lanes(0), input.lanes(laneCount))
                let (g, h) = (filter.lanes(0), filter.lanes(laneCount))
                a = rt_fma16(x, g, a)
                b = rt_fma16(y, h, b)
                c = rt_fma16(x, h, c)
                d = rt_fma16(y, g, d)
                filter += 2 &* laneCount
            }
        }
        let (re, im) = (a - b, c + d)
        let place = work.spectrum + 2 &* bin
        for i in 0..<laneCount {
            place[2 &* i] = re[i]
            place[2 &* i &+ 1] = im[i]
        }
    }
}
