internal import Binaural
internal import CRealtime
internal import DSP

/// The spectra of every microphone's last parts, shared by all ears that `personal` makes, and what they come to
/// with one ear's filters: uniformly partitioned convolution, by overlap and save.
struct InputParts: ~Copyable, Sendable {
    /// Samples between two moves of the past to the rows' beginning.
    private static let room = 1024

    let frame: PersonalFrame
    private let transform: FourierTransform
    private let past: Int
    private let capacity: Int
    private let rows: Rows
    /// Spectra that are kept of a microphone; the newest of the last block is at `newest`.
    private let slots: Int
    private let plane: Int
    // SAFETY: the four are owned by this value alone, which cannot be copied; used by the rendering thread alone.
    // Slot after slot: sixteen bins of all channels, real parts and imaginary parts of each, then the next sixteen.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    // SAFETY: as above. One spectrum: real, imaginary, real...
    private nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>
    // SAFETY: as above. Two parts of sound.
    private nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    // SAFETY: as above. For every place of a bank, where its channel is among those of a slot.
    private nonisolated(unsafe) let offsets: UnsafeMutablePointer<Int>
    /// Where parts begin to be heard in the block.
    private(set) var hops: HopGrid
    private var newest = 0
    private var at: Int
    private var end: Int
    private var channels = 0
    private var wasNeeded = false

    init(period: Int, rate: Float) {
        frame = PersonalFrame(rate: rate)
        transform = FourierTransform(count: 2 * frame.part)
        past = 2 * frame.part
        capacity = past + period + Self.room
        rows = Rows(rows: MicrophoneArray.capacity, length: capacity)
        slots = HopGrid.most(period: period, hop: frame.part) + PersonalFrame.parts
        plane = frame.plane
        spectra = .allocateAligned(slots * MicrophoneArray.capacity * 2 * plane)
        spectrum = .allocateAligned(2 * plane)
        time = .allocateAligned(2 * frame.part)
        offsets = .allocate(capacity: MicrophoneArray.capacity)
        hops = HopGrid(hop: frame.part)
        at = past
        end = past
    }

    deinit {
        spectra.deallocate()
        spectrum.deallocate()
        time.deallocate()
        offsets.deallocate()
    }

    /// Takes a block in.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart.
    ///   - isNeeded: whether anybody will ask for what it comes to.
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
            newest = newest &+ 1 < slots ? newest &+ 1 : 0
            for channel in 0..<channels { analyse(channel, place: hops.place(hop)) }
        }
    }

    /// What has not run for a while begins in silence.
    @_noLocks @_noAllocation
    private mutating func rest() {
        for channel in 0..<channels { rt_zero(rows.row(channel), past) }
        rt_zero(spectra, slots &* MicrophoneArray.capacity &* 2 &* plane)
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

    /// The spectrum of the two parts before `place` samples into the block.
    @_noLocks @_noAllocation
    private func analyse(_ channel: Int, place: Int) {
        rt_copy(time, rows.row(channel) + (at &+ place &- past), past)
        transform.forward(time, into: spectrum)
        var place = slot(newest) + channel &* 2 &* laneCount
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

    /// Floats of sixteen bins of all channels.
    private static var group: Int { @_noLocks @_noAllocation get { MicrophoneArray.capacity &* 2 &* laneCount } }

    @_noLocks @_noAllocation
    private func slot(_ slot: Int) -> UnsafeMutablePointer<Float> {
        spectra + slot &* MicrophoneArray.capacity &* 2 &* plane
    }

    /// The part of one ear that begins to be heard at a hop, through the filters for a turn; until the next call.
    ///
    /// - Parameter hop: of those of this block.
    @_noLocks @_noAllocation
    borrowing func ear(_ ear: Ear, _ bank: FilterBankView, turn: Int, hop: Int) -> UnsafePointer<Float> {
        for place in 0..<bank.count { offsets[place] = bank.channel(turn: turn, place: place) &* 2 &* laneCount }
        let latest = newest &+ hop &+ 1 &- hops.count
        var filters = bank.filters(turn: turn, ear: ear)
        var bin = 0
        while bin < plane {
            multiply(filters, bank.count, latest, bin)
            filters += bank.count &* PersonalFrame.parts &* 2 &* laneCount
            bin = bin &+ laneCount
        }
        transform.inverse(spectrum, into: time)
        return UnsafePointer(time + frame.part)
    }

    /// Sixteen bins of the sum of all inputs times their filters, into ``spectrum``.
    @_noLocks @_noAllocation
    private func multiply(_ filters: UnsafePointer<Float>, _ count: Int, _ latest: Int, _ bin: Int) {
        // Four chains, so that none waits for another.
        var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var filter = filters
        for part in 0..<PersonalFrame.parts {
            let wanted = latest &- part
            let inputs = UnsafePointer(slot(wanted < 0 ? wanted &+ slots : wanted) + (bin / laneCount) &* Self.group)
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
        let place = spectrum + 2 &* bin
        for i in 0..<laneCount {
            place[2 &* i] = re[i]
            place[2 &* i &+ 1] = im[i]
        }
    }
}
