internal import Binaural
internal import Crossing
internal import CRealtime
internal import DSP

/// What all listeners share, prepared once per block: every microphone in the forms that somebody needs, and its level.
struct Scene: ~Copyable, Sendable {
    private var player: FeedPlayer
    private var inForce: ArrayInForce
    private var trim: ChannelTrim
    /// What `trim` knows of the array.
    private var trimmed = (changes: 0, channels: 0)
    private let whole: Rows
    private var atNeighbours: SplitScene
    private var atRing: SplitScene
    /// Low and high band, interleaved, before they are sorted into rows.
    private let bands: Rows
    private let levels: Rows
    // SAFETY: owned by this value alone, which cannot be copied. Elsewhere, to keep this value small.
    private nonisolated(unsafe) let parts: UnsafeMutablePointer<InputParts>
    private var levelFrames = 0
    /// When frames of the spectral methods begin in this block.
    private(set) var hops: HopGrid

    init(
        feeds: consuming Handover<SceneFeed>.Realtime, edits: consuming Handover<ArrayEdit>.Realtime, period: Int,
        rate: Float
    ) {
        let frame = SpectralFrame(rate: rate)
        player = FeedPlayer(feeds: feeds, period: period, rate: rate)
        inForce = ArrayInForce(edits: edits)
        trim = ChannelTrim(period: period)
        whole = Rows(rows: MicrophoneArray.capacity, length: period)
        atNeighbours = SplitScene(.neighbours, frame: frame, period: period, rate: rate)
        atRing = SplitScene(.ring, frame: frame, period: period, rate: rate)
        bands = Rows(rows: 2, length: (period + 8) * MicrophoneArray.capacity)
        levels = Rows(rows: 2, length: MicrophoneArray.capacity)
        hops = HopGrid(hop: frame.hop)
        parts = .allocate(capacity: 1)
        parts.initialize(to: InputParts(period: period, rate: rate))
    }

    deinit {
        parts.deinitialize(count: 1)
        parts.deallocate()
    }

    /// The array being heard; nil while there is no recording.
    var ring: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { inForce.ring } }
    /// Rises whenever ``ring`` is another.
    var arrayChanges: Int { @_noLocks @_noAllocation get { inForce.changes } }
    var hasEnded: Bool { @_noLocks @_noAllocation get { player.hasEnded } }
    var feed: Int64 { @_noLocks @_noAllocation get { player.number } }
    var feedFrames: Int64 { @_noLocks @_noAllocation get { player.framesUsed } }
    var dropouts: Int64 { @_noLocks @_noAllocation get { player.dropouts } }
    mutating func isReady(_ frames: Int) -> Bool { player.isReady(frames) }

    /// The samples of the prepared block in one band; nil for bands that are not samples.
    ///
    /// - Parameter number: of the band.
    @_noLocks @_noAllocation
    func samples(_ number: Int) -> RowView? {
        switch Taps.Band(number: number) {
        case .full: RowView(whole.row(0), stride: whole.stride)
        case .low: atNeighbours.low
        case .high: atNeighbours.high
        case .delayedLow: atNeighbours.delayedLow
        case .ringLow: atRing.low
        case .ringHigh: atRing.high
        case .ringDelayedLow: atRing.delayedLow
        case .magnitude, .phase, .ringMagnitude, .ringPhase, .personal: nil
        }
    }

    /// Whether parts of `personal` begin in this block.
    var hasParts: Bool { @_noLocks @_noAllocation get { parts.pointee.hops.count > 0 } }

    /// Renders one ear through a listener's own.
    @_noLocks @_noAllocation
    borrowing func renderPersonal(_ ear: inout PersonalEar, _ bank: FilterBankView, azimuth: Float, frames: Int) {
        ear.render(parts.pointee, bank, azimuth: azimuth, frames: frames)
    }

    /// A microphone's frame above a crossover: its magnitudes, and as many floats further on its phases.
    ///
    /// - Parameter hop: of those of this block.
    @_noLocks @_noAllocation
    borrowing func frame(_ crossover: Crossover, hop: Int, channel: Int) -> UnsafePointer<Float> {
        switch crossover {
        case .neighbours: atNeighbours.frame(hop: hop, place: hops.place(hop), channel: channel)
        case .ring: atRing.frame(hop: hop, place: hops.place(hop), channel: channel)
        }
    }

    /// - Parameters:
    ///   - crossover: hertz; 0 for each method's own rule.
    ///   - needs: the bands somebody needs.
    @_noLocks @_noAllocation
    mutating func prepare(block: Block, isPlaying: Bool, crossover: Float, needs: BandSet) {
        let frames = block.frames
        player.fill(frames: frames, isPlaying: isPlaying)
        inForce.choose(player.feed)
        hops.advance(frames)
        guard let ring else { return }
        let input = UnsafePointer(player.samples)
        let channels = ring.pointee.array.count
        calibrate(ring.pointee, channels: channels, block)
        Levels.gather(input, channels: channels, frames: frames, peak: levels.row(0), energy: levels.row(1))
        levelFrames = levelFrames &+ frames
        if needs.contains(.full) {
            Deinterleave.process(
                input, stride: channels, channels: channels, frames: frames, rows: whole.row(0), rowStride: whole.stride)
        }
        let isManual = crossover > 0
        atNeighbours.prepare(
            input, channels: channels, block: block,
            frequency: isManual ? crossover : ring.pointee.frequency(.neighbours), needs: needs, hops: hops.count,
            work: bands)
        atRing.prepare(
            input, channels: channels, block: block, frequency: isManual ? crossover : ring.pointee.frequency(.ring),
            needs: needs, hops: hops.count, work: bands)
        parts.pointee.prepare(input, channels: channels, frames: frames, isNeeded: needs.contains(.personal))
    }

    @_noLocks @_noAllocation
    private mutating func calibrate(_ ring: borrowing RingLookup, channels: Int, _ block: Block) {
        if trimmed.changes != inForce.changes {
            for channel in 0..<channels {
                trim.set(channel, gain: ring.calibration.gains[channel], delay: ring.calibration.delays[channel])
            }
            // Other microphones begin in silence.
            if trimmed.channels != channels { trim.settle() }
            trimmed = (inForce.changes, channels)
        }
        trim.process(
            player.samples, channels: channels, frames: block.frames, gainShare: block.gainShare, seconds: block.seconds)
    }

    /// The levels since they were last taken; `take` says whether they got through and begin anew.
    @_noLocks @_noAllocation
    mutating func report(_ frame: inout MicrophoneFrame) {
        frame.count = Int32(truncatingIfNeeded: ring?.pointee.array.count ?? 0)
        frame.frames = Int32(truncatingIfNeeded: levelFrames)
        for i in 0..<MicrophoneArray.capacity {
            frame.peak[i] = levels.row(0)[i]
            frame.energy[i] = levels.row(1)[i]
        }
    }

    /// Begins a new window of levels.
    @_noLocks @_noAllocation
    mutating func resetLevels() {
        rt_zero(levels.row(0), MicrophoneArray.capacity)
        rt_zero(levels.row(1), MicrophoneArray.capacity)
        levelFrames = 0
    }
}
