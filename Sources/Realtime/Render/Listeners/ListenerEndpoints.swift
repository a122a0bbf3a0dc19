public import Crossing
internal import Rack
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

/// Realtime ends of a listener's two racks.
struct RackInlets: ~Copyable, Sendable {
    private var recording: RackInlet
    private var mix: RackInlet

    init(recording: consuming Handover<RackPlan>.Realtime, mix: consuming Handover<RackPlan>.Realtime) {
        self.recording = RackInlet(recording)
        self.mix = RackInlet(mix)
    }

    /// Receives new plans; returns the arrangements of the newest, which are valid until the next call.
    @_noLocks @_noAllocation
    mutating func receive() -> ListenerRacks.Arrangements {
        recording.receive()
        mix.receive()
        return ListenerRacks.Arrangements(recording: recording.arrangement, mix: mix.arrangement)
    }

    /// Reads the values that the control side has set; to be called before a block.
    @_noLocks @_noAllocation
    func load() {
        recording.load()
        mix.load()
    }

    /// Reports a block to the control side; to be called after the block.
    @_noLocks @_noAllocation
    func report() {
        recording.report()
        mix.report()
    }
}

/// Both endpoints of the handover of one rack's plans.
struct RackConnection {
    let control: Parcel<Handover<RackPlan>.Control>
    /// To be taken once.
    let realtime: Parcel<Handover<RackPlan>.Realtime>

    init() {
        let plans = Handover<RackPlan>()
        control = Parcel(plans.control)
        realtime = Parcel(plans.realtime)
    }
}
