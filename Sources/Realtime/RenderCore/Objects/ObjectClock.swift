internal import DSP

/// Place in the objects' sounds, and the level with which they follow the transport.
struct ObjectClock: BitwiseCopyable {
    /// Place in the sounds, frames.
    private(set) var place: Int64 = 0
    /// Level at the end of the last block, and of the current one.
    private var level: Float = 0
    private var reached: Float = 0
    /// Number of the feed that is followed.
    private var feed: Int64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// Begins a block: the place becomes that of the recording when this begins or is sought; from then on it counts up, across the
    /// recording's loops as well.
    /// - Returns: the level over the block.
    @_noLocks @_noAllocation
    mutating func begin(_ transport: ObjectTransport, _ block: Block) -> Ramp {
        if transport.feed != feed {
            feed = transport.feed
            place = Self.place(transport, block)
        }
        // The beginning is not faded in.
        if place == 0, level == 0, transport.isPlaying { level = 1 }
        reached = Ramp.approach(transport.isPlaying ? 1 : 0, from: level, step: block.seconds / ObjectScene.fade)
        return Ramp(from: level, to: reached, frames: block.frames)
    }

    /// Ends the block that ``begin(_:_:)`` has begun.
    @_noLocks @_noAllocation
    mutating func finish(_ transport: ObjectTransport, _ block: Block) {
        if level > 0 || reached > 0 { place = place &+ Int64(block.frames) }
        level = reached
        // Without a recording a stop is what returns the sounds to their beginnings.
        if transport.isStopped, level == 0, transport.radius == 0 { place = 0 }
    }

    /// Place after a block that has not been prepared yet, frames.
    @_noLocks @_noAllocation
    func place(after transport: ObjectTransport, _ block: Block) -> Int64 {
        let begin = transport.feed == feed ? place : Self.place(transport, block)
        return transport.isPlaying || level > 0 ? begin &+ Int64(block.frames) : begin
    }

    /// Place at the beginning of a block in which the recording was started or sought, frames.
    @_noLocks @_noAllocation
    private static func place(_ transport: ObjectTransport, _ block: Block) -> Int64 {
        max(0, transport.place &- (transport.isPlaying ? Int64(block.frames) : 0))
    }
}
