public import Crossing
public import RenderInterface

/// The other threads' endpoints for takes, each to be taken once.
public struct TakeConnections: Sendable {
    public let taps: Parcel<Handover<TakeTap>.Control>
    public let heads: Parcel<Ring<TakeHead>.Consumer>
    public let objects: Parcel<Ring<TakeObject>.Consumer>
    /// Whether motion is wanted.
    public let isMotionWanted: Parcel<Switch.Control>
    let taken: Parcel<TakeTaps>
    let motion: Parcel<TakeMotion>

    init(listeners: Int, objects count: Int) {
        // Each source once in the table and once on its way.
        let taps = Handover<TakeTap>(depth: 256)
        // Three seconds of blocks of 64 frames, for four heads that never rest.
        let heads = Ring<TakeHead>(capacity: 1 << 13)
        let objects = Ring<TakeObject>(capacity: 1 << 13)
        let gate = Switch()
        taken = Parcel(TakeTaps(taps.realtime, listeners: listeners))
        motion = Parcel(
            TakeMotion(
                heads: heads.producer, objects: objects.producer, isWanted: gate.realtime, listeners: listeners, objectCount: count))
        self.taps = Parcel(taps.control)
        self.heads = Parcel(heads.consumer)
        self.objects = Parcel(objects.consumer)
        isMotionWanted = Parcel(gate.control)
    }
}
