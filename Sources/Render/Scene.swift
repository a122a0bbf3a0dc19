internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP

/// What all listeners share, prepared once per block: every microphone in the forms that somebody needs, and its level.
struct Scene: ~Copyable, Sendable {
    private var player: FeedPlayer
    private var inForce: ArrayInForce
    private var trim: ChannelTrim
    /// What `trim` knows of the array.
    private var trimmed = (changes: 0, channels: 0)
    /// What the listeners are made of.
    private(set) var prepared: PreparedScene
    /// Low and high band, interleaved, before they are sorted into rows.
    private let bands: Rows
    private let levels: Rows
    private var levelFrames = 0

    init(
        feeds: consuming Handover<SceneFeed>.Realtime, edits: consuming Handover<ArrayEdit>.Realtime, period: Int,
        rate: Float
    ) {
        player = FeedPlayer(feeds: feeds, period: period, rate: rate)
        inForce = ArrayInForce(edits: edits)
        trim = ChannelTrim(period: period)
        prepared = PreparedScene(period: period, rate: rate)
        bands = Rows(rows: 2, length: (period + 8) * MicrophoneArray.capacity)
        levels = Rows(rows: 2, length: MicrophoneArray.capacity)
    }

    /// The array being heard; nil while there is no recording.
    var ring: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { inForce.ring } }
    /// Rises whenever ``ring`` is another.
    var arrayChanges: Int { @_noLocks @_noAllocation get { inForce.changes } }
    var hasEnded: Bool { @_noLocks @_noAllocation get { player.hasEnded } }
    var feed: Int64 { @_noLocks @_noAllocation get { player.number } }
    /// Where in the recording the feed is, frames.
    var place: Int64 { @_noLocks @_noAllocation get { player.start &+ player.framesUsed } }
    var feedFrames: Int64 { @_noLocks @_noAllocation get { player.framesUsed } }
    var dropouts: Int64 { @_noLocks @_noAllocation get { player.dropouts } }
    mutating func isReady(_ frames: Int) -> Bool { player.isReady(frames) }

    /// - Parameters:
    ///   - crossover: hertz; 0 for each method's own rule.
    ///   - needs: the bands somebody needs.
    @_noLocks @_noAllocation
    mutating func prepare(block: Block, isPlaying: Bool, crossover: Float, needs: BandSet) {
        let frames = block.frames
        player.fill(frames: frames, isPlaying: isPlaying)
        inForce.choose(player.feed)
        prepared.hops.advance(frames)
        guard let ring else { return }
        let input = UnsafePointer(player.samples)
        let channels = ring.pointee.channels
        calibrate(ring.pointee, channels: channels, block)
        Levels.gather(input, channels: channels, frames: frames, peak: levels.row(0), energy: levels.row(1))
        levelFrames = levelFrames &+ frames
        if needs.contains(.full) {
            Deinterleave.process(
                input, stride: channels, channels: channels, frames: frames, rows: prepared.whole.row(0),
                rowStride: prepared.whole.stride)
        }
        let isManual = crossover > 0
        prepared.atNeighbours.pointee.prepare(
            input, channels: channels, block: block,
            frequency: isManual ? crossover : ring.pointee.frequency(.neighbours), needs: needs, hops: prepared.hops.count,
            work: bands)
        prepared.atRing.pointee.prepare(
            input, channels: channels, block: block, frequency: isManual ? crossover : ring.pointee.frequency(.ring),
            needs: needs, hops: prepared.hops.count, work: bands)
        prepared.parts.pointee.prepare(
            input, channels: channels, frames: frames, isNeeded: needs.contains(.personal))
        prepared.settle()
    }

    @_noLocks @_noAllocation
    private mutating func calibrate(_ ring: borrowing RingLookup, channels: Int, _ block: Block) {
        if trimmed.changes != inForce.changes {
            for channel in 0..<channels {
                let (gain, delay) = ring.trim(channel)
                trim.set(channel, gain: gain, delay: delay)
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
        frame.count = Int32(truncatingIfNeeded: ring?.pointee.channels ?? 0)
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
