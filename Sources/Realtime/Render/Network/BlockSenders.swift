internal import Crossing
internal import RenderCore
internal import RenderInterface

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
