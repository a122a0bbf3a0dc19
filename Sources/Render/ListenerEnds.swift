public import Crossing

/// The renderer's ends of everything that one listener shares with other threads.
public struct ListenerEnds: ~Copyable, Sendable {
    /// Poses from the network thread and from the control thread; the newer one counts.
    var networkPoses: Latest<HeadPose>.Reader
    var controlPoses: Latest<HeadPose>.Reader
    var meters: Ring<ListenerFrame>.Producer
    /// Both ears for network listeners, left and right interleaved, filled while `isHeard` is open.
    var ears: FrameRing.Producer
    var isHeard: Gate.Realtime
    let horizon: Horizon.Writer
    /// The listener's own ears.
    let personal: Parcel<Handover<PersonalEars>.Realtime>
    var tape: HeadTape

    public init(
        networkPoses: consuming Latest<HeadPose>.Reader, controlPoses: consuming Latest<HeadPose>.Reader,
        meters: consuming Ring<ListenerFrame>.Producer, ears: consuming FrameRing.Producer,
        isHeard: consuming Gate.Realtime, horizon: consuming Horizon.Writer, tape: consuming HeadTape,
        personal: consuming Handover<PersonalEars>.Realtime
    ) {
        self.networkPoses = networkPoses
        self.controlPoses = controlPoses
        self.meters = meters
        self.ears = ears
        self.isHeard = isHeard
        self.horizon = horizon
        self.personal = Parcel(personal)
        self.tape = tape
    }
}
