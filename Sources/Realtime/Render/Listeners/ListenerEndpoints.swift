public import Crossing
public import RenderCore
public import RenderInterface

/// The renderer's endpoints of everything that one listener shares with other threads.
public struct ListenerEndpoints: ~Copyable, Sendable {
    /// Poses from the network thread and from the control thread; the newer one is used.
    var networkPoses: Latest<HeadPose>.Reader
    var controlPoses: Latest<HeadPose>.Reader
    var meters: Ring<ListenerFrame>.Producer
    /// Both ears for network listeners, left and right interleaved, filled while `isHeard` is on.
    var ears: FrameRing.Producer
    var isHeard: Switch.Realtime
    let horizon: Target.Writer
    /// HRTF filters of the method `hrtf`.
    let hrtf: Parcel<Handover<HRTFSet>.Realtime>
    /// Measured filters for the sound objects.
    let objectHRTF: Parcel<Handover<ObjectHRTF>.Realtime>
    var recorder: HeadStepSender
    /// Conditions of a listening test.
    let comparison: Parcel<ComparisonReceiver>

    public init(
        networkPoses: consuming Latest<HeadPose>.Reader, controlPoses: consuming Latest<HeadPose>.Reader,
        meters: consuming Ring<ListenerFrame>.Producer, ears: consuming FrameRing.Producer,
        isHeard: consuming Switch.Realtime, horizon: consuming Target.Writer, recorder: consuming HeadStepSender,
        hrtf: consuming Handover<HRTFSet>.Realtime, objectHRTF: consuming Handover<ObjectHRTF>.Realtime,
        comparison: consuming ComparisonReceiver
    ) {
        self.networkPoses = networkPoses
        self.controlPoses = controlPoses
        self.meters = meters
        self.ears = ears
        self.isHeard = isHeard
        self.horizon = horizon
        self.hrtf = Parcel(hrtf)
        self.objectHRTF = Parcel(objectHRTF)
        self.recorder = recorder
        self.comparison = Parcel(comparison)
    }
}
