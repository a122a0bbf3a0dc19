public import Crossing
public import RenderInterface

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
