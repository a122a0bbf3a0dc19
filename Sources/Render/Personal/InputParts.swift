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
    // SAFETY: the five are owned by this value alone, which cannot be copied; used by the rendering thread alone.
    private nonisolated(unsafe) let spectra: UnsafeMutablePointer<Float>
    // SAFETY: as above. One spectrum: real, imaginary, real...
    private nonisolated(unsafe) let spectrum: UnsafeMutablePointer<Float>
    // SAFETY: as above. Two parts of sound.
    private nonisolated(unsafe) let time: UnsafeMutablePointer<Float>
    // SAFETY: as above. The spectra that one ear's filters meet.
    private nonisolated(unsafe) let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
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
        inputs = .allocate(capacity: MicrophoneArray.capacity * PersonalFrame.parts)
        hops = HopGrid(hop: frame.part)
        at = past
        end = past
    }

    deinit {
        spectra.deallocate()
        spectrum.deallocate()
        time.deallocate()
        inputs.deallocate()
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
        let (re, im) = (slot(newest, channel), slot(newest, channel) + plane)
        for bin in 0...frame.part {
            re[bin] = spectrum[2 &* bin]
            im[bin] = spectrum[2 &* bin &+ 1]
        }
    }

    @_noLocks @_noAllocation
    private func slot(_ slot: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        spectra + (slot &* MicrophoneArray.capacity &+ channel) &* 2 &* plane
    }

    /// The part of one ear that begins to be heard at a hop, through the filters for a turn; until the next call.
    ///
    /// - Parameter hop: of those of this block.
    @_noLocks @_noAllocation
    borrowing func ear(_ ear: Ear, _ bank: FilterBankView, turn: Int, hop: Int) -> UnsafePointer<Float> {
        let latest = newest &+ hop &+ 1 &- hops.count
        let count = bank.count &* PersonalFrame.parts
        for place in 0..<bank.count {
            let channel = bank.channel(turn: turn, place: place)
            for part in 0..<PersonalFrame.parts {
                let wanted = latest &- part
                inputs[place &* PersonalFrame.parts &+ part] = UnsafePointer(
                    slot(wanted < 0 ? wanted &+ slots : wanted, channel))
            }
        }
        let filters = bank.filter(turn: turn, ear: ear, place: 0)
        var bin = 0
        while bin < plane {
            multiply(filters + bin, count, bin)
            bin = bin &+ laneCount
        }
        transform.inverse(spectrum, into: time)
        return UnsafePointer(time + frame.part)
    }

    /// Sixteen bins of the sum of all inputs times their filters, into ``spectrum``.
    @_noLocks @_noAllocation
    private func multiply(_ filters: UnsafePointer<Float>, _ count: Int, _ bin: Int) {
        // Four chains, so that none waits for another.
        var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        var filter = filters
        for i in 0..<count {
            let input = inputs[i] + bin
            let (x, y) = (input.lanes(0), input.lanes(plane))
            let (g, h) = (filter.lanes(0), filter.lanes(plane))
            a = rt_fma16(x, g, a)
            b = rt_fma16(y, h, b)
            c = rt_fma16(x, h, c)
            d = rt_fma16(y, g, d)
            filter += 2 &* plane
        }
        let (re, im) = (a - b, c + d)
        let place = spectrum + 2 &* bin
        for i in 0..<laneCount {
            place[2 &* i] = re[i]
            place[2 &* i &+ 1] = im[i]
        }
    }
}
