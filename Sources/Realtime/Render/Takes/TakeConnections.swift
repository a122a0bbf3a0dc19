public import Crossing
public import RenderInterface

/// The other threads' endpoints for takes, each to be taken once.
public struct TakeConnections: Sendable {
    public let taps: Parcel<Handover<TakeTap>.Control>
    public let heads: Parcel<Ring<TakeHead>.Consumer>
    public let objects: Parcel<Ring<TakeObject>.Consumer>
    /// Steps of heads and objects for which there was no room.
    public let lostMotion = CountRow(count: 1)
    /// Whether motion is wanted.
    public let isMotionWanted: Parcel<Switch.Control>
    /// Endpoints of the workers that render network listeners, in order.
    public let workers: [TakeWorkerConnections]
    private let wired: Int
    let taken: Parcel<TakeTaps>
    let motion: Parcel<TakeMotion>

    /// - Parameters:
    ///   - wired: number of listeners of the device.
    ///   - listeners: number of all possible listeners.
    ///   - objects: number of sound objects.
    ///   - rate: frames per second.
    ///   - period: frames per block.
    init(wired: Int, listeners: Int, objects count: Int, workers: Int, rate: Float, period: Int) {
        self.wired = wired
        // Each source once in the table and once on its way.
        let taps = Handover<TakeTap>(depth: 256)
        let blocks = Double(rate) / Double(max(1, period))
        let heads = Ring<TakeHead>(capacity: Self.capacity(wired, perSecond: blocks))
        let objects = Ring<TakeObject>(capacity: Self.capacity(count, perSecond: blocks))
        let gate = Switch()
        taken = Parcel(TakeTaps(taps.realtime, listeners: wired))
        motion = Parcel(
            TakeMotion(
                heads: heads.producer, objects: objects.producer, isWanted: gate.realtime, lost: lostMotion, listeners: wired,
                objectCount: count))
        self.taps = Parcel(taps.control)
        self.heads = Parcel(heads.consumer)
        self.objects = Parcel(objects.consumer)
        isMotionWanted = Parcel(gate.control)
        let most = workers > 0 ? (listeners - wired + workers - 1) / workers : 0
        let hops = blocks / Double(NetworkConnections.hop(rate: rate, period: period))
        self.workers = (0..<workers).map { _ in
            TakeWorkerConnections(listeners: listeners, steps: Self.capacity(most, perSecond: hops))
        }
    }

    /// Capacity for the steps of `things` that move in every block, for as long as the disk may be slow: 10 s, and at most 42 MB of heads.
    private static func capacity(_ things: Int, perSecond: Double) -> Int {
        let wanted = Double(things) * perSecond * 10
        var capacity = 1 << 13
        while Double(capacity) < wanted, capacity < 1 << 19 { capacity *= 2 }
        return capacity
    }

    /// Index of the worker that renders a source; nil for those of the audio thread.
    public func worker(of source: TakeSource) -> Int? {
        guard case .ears(let listener) = source, listener >= wired, !workers.isEmpty else { return nil }
        return (listener - wired) % workers.count
    }
}

/// The other threads' endpoints for the network listeners of one worker in takes, each to be taken once.
public struct TakeWorkerConnections: Sendable {
    public let taps: Parcel<Handover<TakeTap>.Control>
    public let heads: Parcel<Ring<TakeHead>.Consumer>
    /// Steps of heads for which there was no room.
    public let lostMotion = CountRow(count: 1)
    /// Whether motion is wanted.
    public let isMotionWanted: Parcel<Switch.Control>
    let taken: Parcel<TakeTaps>
    let motion: Parcel<TakeMotion>

    /// - Parameters:
    ///   - listeners: number of all possible listeners.
    ///   - steps: steps of heads that can wait; a power of two.
    init(listeners: Int, steps: Int) {
        // Every listener once in the table and once on its way.
        let taps = Handover<TakeTap>(depth: 2048)
        let heads = Ring<TakeHead>(capacity: steps)
        let objects = Ring<TakeObject>(capacity: 1)
        let gate = Switch()
        taken = Parcel(TakeTaps(taps.realtime, listeners: listeners))
        motion = Parcel(
            TakeMotion(
                heads: heads.producer, objects: objects.producer, isWanted: gate.realtime, lost: lostMotion, listeners: listeners,
                objectCount: 0))
        self.taps = Parcel(taps.control)
        self.heads = Parcel(heads.consumer)
        isMotionWanted = Parcel(gate.control)
    }
}
