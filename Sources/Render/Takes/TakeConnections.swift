public import Crossing
public import RenderInterface

/// The other threads' endpoints for takes, each to be taken once.
public struct TakeConnections: Sendable {
    public let taps: Parcel<Handover<TakeTap>.Control>
    public let heads: Parcel<Ring<TakeHead>.Consumer>
    public let objects: Parcel<Ring<TakeObject>.Consumer>
    /// Whether motion is wanted.
    public let isMotionWanted: Parcel<Switch.Control>
    /// Endpoints of the workers that render network listeners, in order.
    public let workers: [TakeWorkerConnections]
    private let wired: Int
    let taken: Parcel<TakeTaps>
    let motion: Parcel<TakeMotion>

    /// - Parameters:
    ///   - wired: number of listeners of the device.
    ///   - listeners: number of all that there may be.
    ///   - objects: number of sound objects.
    init(wired: Int, listeners: Int, objects count: Int, workers: Int) {
        self.wired = wired
        // Each source once in the table and once on its way.
        let taps = Handover<TakeTap>(depth: 256)
        // Three seconds of blocks of 64 frames, for four heads that never rest.
        let heads = Ring<TakeHead>(capacity: 1 << 13)
        let objects = Ring<TakeObject>(capacity: 1 << 13)
        let gate = Switch()
        taken = Parcel(TakeTaps(taps.realtime, listeners: wired))
        motion = Parcel(
            TakeMotion(heads: heads.producer, objects: objects.producer, isWanted: gate.realtime, listeners: wired, objectCount: count))
        self.taps = Parcel(taps.control)
        self.heads = Parcel(heads.consumer)
        self.objects = Parcel(objects.consumer)
        isMotionWanted = Parcel(gate.control)
        self.workers = (0..<workers).map { _ in TakeWorkerConnections(listeners: listeners) }
    }

    /// Index of the worker that renders a source; nil for those of the audio thread.
    public func worker(of source: TakeSource) -> Int? {
        guard case .ears(let listener) = source, listener >= wired, !workers.isEmpty else { return nil }
        return (listener - wired) % workers.count
    }
}
