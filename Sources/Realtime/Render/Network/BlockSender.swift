internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// Sends every block from the audio thread to one worker, while the worker has listeners. A worker that has fallen behind loses blocks; the
/// audio thread does not wait for it.
struct BlockSender: ~Copyable, Sendable {
    private var pieces: BufferRing.Producer
    private var poses: Ring<TimedPose>.Producer
    private let layout: SharedBlockLayout
    private let isNeeded: Switch.Realtime
    private let owner: CountRow
    private let lost: CountRow.View
    private let worker: Int
    private var lostBlocks = 0

    /// - Parameters:
    ///   - isNeeded: whether the worker has listeners.
    ///   - lost: receives the number of blocks that found no room, at the place `worker`.
    init(
        pieces: consuming BufferRing.Producer, poses: consuming Ring<TimedPose>.Producer, layout: SharedBlockLayout,
        isNeeded: consuming Switch.Realtime, lost: CountRow, worker: Int
    ) {
        self.pieces = pieces
        self.poses = poses
        self.layout = layout
        self.isNeeded = isNeeded
        owner = lost
        self.lost = lost.view
        self.worker = worker
    }

    /// Passes on a pose whose time has come.
    @_noLocks @_noAllocation
    mutating func turn(_ pose: TimedPose) { _ = poses.push(pose) }

    /// Sends a block.
    ///
    /// - Parameters:
    ///   - block: its number of objects is set here.
    ///   - samples: interleaved microphones, calibrated.
    @_noLocks @_noAllocation
    mutating func send(
        _ block: SharedBlock, samples: UnsafePointer<Float>, input: InputView?, objects: borrowing PreparedObjects,
        sources: borrowing ObjectSources
    ) {
        guard isNeeded.isOn else { return }
        guard let piece = pieces.claim() else {
            lostBlocks = lostBlocks &+ 1
            lost.set(worker, lostBlocks)
            return
        }
        let (frames, channels) = (block.frames, block.channels)
        layout.block(piece).pointee = block
        let microphones = layout.samples(piece)
        rt_copy(microphones, samples, frames &* channels)
        rt_zero(microphones + frames &* channels, SharedBlockLayout.padding &* channels)
        if let input {
            rt_copy(layout.input(piece, side: 0), input.left, frames)
            rt_copy(layout.input(piece, side: 1), input.right, frames)
        }
        layout.block(piece).pointee.objects = objects.copy(to: layout.objects(piece), rows: layout.rows(piece), frames: frames)
        sources.copy(objects, sites: layout.sites(piece), rows: layout.source(piece, 0), stride: layout.sourceStride, frames: frames)
        pieces.commit()
    }
}

/// The senders of blocks: one for each worker that renders network listeners, and one for the scene that browsers render; none without
/// workers.
struct BlockSenders: ~Copyable, Sendable {
    private let count: Int
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let senders: UnsafeMutablePointer<BlockSender>

    /// - Parameter sender: called once for each worker that renders network listeners, in order, and then for the scene.
    init(count: Int, sender: (Int) -> BlockSender) {
        self.count = count
        senders = .allocate(capacity: count)
        for i in 0..<count { (senders + i).initialize(to: sender(i)) }
    }

    deinit {
        senders.deinitialize(count: count)
        senders.deallocate()
    }

    var isEmpty: Bool { @_noLocks @_noAllocation get { count == 0 } }

    /// Sends a block to all.
    @_noLocks @_noAllocation
    mutating func send(
        _ block: SharedBlock, samples: UnsafePointer<Float>, input: InputView?, objects: borrowing PreparedObjects,
        sources: borrowing ObjectSources
    ) {
        for i in 0..<count {
            let sender = senders + i
            sender.pointee.send(block, samples: samples, input: input, objects: objects, sources: sources)
        }
    }

    /// Sends a pose whose time has come to the worker that renders the listener.
    ///
    /// - Parameter place: of the listener among those on the network.
    @_noLocks @_noAllocation
    mutating func turn(_ pose: TimedPose, place: Int) {
        guard count > 1 else { return }
        let sender = senders + place % (count &- 1)
        sender.pointee.turn(pose)
    }
}
