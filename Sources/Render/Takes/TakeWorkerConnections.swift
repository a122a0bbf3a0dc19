public import Crossing
public import RenderInterface

/// The other threads' endpoints for the network listeners of one worker in takes, each to be taken once.
public struct TakeWorkerConnections: Sendable {
    public let taps: Parcel<Handover<TakeTap>.Control>
    public let heads: Parcel<Ring<TakeHead>.Consumer>
    /// Whether motion is wanted.
    public let isMotionWanted: Parcel<Switch.Control>
    let taken: Parcel<TakeTaps>
    let motion: Parcel<TakeMotion>

    /// - Parameter listeners: number of all listeners that there may be.
    init(listeners: Int) {
        // Every listener once in the table and once on its way.
        let taps = Handover<TakeTap>(depth: 2048)
        // A fifth of a second of hops of 4 ms, for 256 heads that never rest.
        let heads = Ring<TakeHead>(capacity: 1 << 14)
        let objects = Ring<TakeObject>(capacity: 1)
        let gate = Switch()
        taken = Parcel(TakeTaps(taps.realtime, listeners: listeners))
        motion = Parcel(
            TakeMotion(heads: heads.producer, objects: objects.producer, isWanted: gate.realtime, listeners: listeners, objectCount: 0))
        self.taps = Parcel(taps.control)
        self.heads = Parcel(heads.consumer)
        isMotionWanted = Parcel(gate.control)
    }
}
