internal import Binaural
internal import Crossing
internal import Parameters
internal import Rack
internal import RenderCore
internal import RenderInterface

/// Makes listeners and their connections: at the start those of the device, later those on the network.
struct ListenerMaker: Sendable {
    /// A listener for the thread that renders it, and the other threads' ends.
    struct Made {
        let line: RenderConnections.Listener
        let listener: Parcel<Listener>
    }

    let store: ParameterStore
    let rate: Float
    let period: Int
    /// Number of listeners of the device.
    let wired: Int
    let protection: Protection
    let limiting: TargetRow
    let comparisons: TargetRow
    /// Coordinates of the listeners' places.
    let places: TargetRow
    /// Presence of each listener; listeners of the device are always present.
    let present: SwitchRow
    /// Both ends of the poses from the network, for every possible listener.
    let heads: [(poses: Parcel<Latest<HeadPose>.Reader>, head: RenderConnections.Head)]
    private let heard: SwitchRow
    private let recorded: SwitchRow

    init(
        store: ParameterStore, rate: Float, period: Int, wired: Int, protection: Protection, limiting: TargetRow, comparisons: TargetRow,
        places: TargetRow
    ) {
        self.store = store
        self.rate = rate
        self.period = period
        self.wired = wired
        self.protection = protection
        self.limiting = limiting
        self.comparisons = comparisons
        self.places = places
        let count = store.tree.listeners
        let present = SwitchRow(count: count)
        self.present = present
        heard = SwitchRow(count: count)
        recorded = SwitchRow(count: count)
        for i in 0..<wired { present.makeSwitch(i).control.set(true) }
        heads = (0..<count).map { i in
            let poses = Latest(HeadPose.ahead)
            let presence = present.makeSwitch(i)
            return (
                Parcel(poses.reader),
                RenderConnections.Head(
                    poses: Parcel(poses.writer), horizon: Target(), isPresent: Parcel(presence.realtime))
            )
        }
    }

    /// Makes a listener; to be called once for each.
    ///
    /// - Parameters:
    ///   - i: index among all listeners.
    ///   - earFrames: frames of sound that may wait for the network; a power of two.
    ///   - stepCount: rendered heads that may wait for a recording; a power of two.
    ///   - period: frames that are rendered at once, at most.
    func make(_ i: Int, ears earFrames: Int, heads stepCount: Int, period: Int) -> Made {
        let control = Latest(HeadPose.ahead)
        let meters = Ring<ListenerFrame>(capacity: 16)
        let ears = FrameRing(channels: 2, capacity: earFrames)
        let gate = heard.makeSwitch(i)
        let hrtf = Handover<HRTFSet>()
        let objectHRTF = Handover<ObjectHRTF>()
        let steps = Ring<HeadStep>(capacity: stepCount)
        let recorded = recorded.makeSwitch(i)
        let comparison = Handover<ComparisonStage>()
        let racks = (recording: RackConnection(), output: RackConnection())
        let (poses, head) = heads[i]
        let line = RenderConnections.Listener(
            networkPoses: head.poses, controlPoses: Parcel(control.writer), meters: Parcel(meters.consumer),
            ears: Parcel(ears.consumer), isHeard: Parcel(gate.control), recordingRack: racks.recording.control,
            outputRack: racks.output.control, largestBlock: period, predictionHorizon: head.horizon, heads: Parcel(steps.consumer),
            isRecorded: Parcel(recorded.control), hrtf: Parcel(hrtf.control), objectHRTF: Parcel(objectHRTF.control),
            comparison: Parcel(comparison.control))
        let endpoints = ListenerEndpoints(
            networkPoses: poses.take(), controlPoses: control.reader, meters: meters.producer, ears: ears.producer,
            isHeard: gate.realtime, horizon: head.horizon.makeWriter(),
            recorder: HeadStepSender(steps: steps.producer, isWanted: recorded.realtime), hrtf: hrtf.realtime,
            objectHRTF: objectHRTF.realtime, comparison: ComparisonReceiver(comparison.realtime, choices: comparisons, place: i))
        let chain = OutputChain(isProtected: protection == .always, period: period, rate: rate)
        let tree = store.tree
        let listener = Listener(
            endpoints: endpoints,
            // Listeners on the network hear reflections in the sound from all around.
            renderer: ListenerRenderer(
                chain: chain, objects: tree.objects, reflections: i < wired ? RoomImage.most : 0, period: period, rate: rate),
            racks: RackInlets(recording: racks.recording.realtime.take(), mix: racks.output.realtime.take()),
            protection: protection, limiting: limiting, places: places, index: i,
            placed: tree.objects > 0 ? PlacedListener(objects: tree.objects, rate: rate, period: period) : nil,
            parameters: tree.index(ListenerParameter.ypr, i),
            outputMute: tree.index(TunerParameter.mute), rate: rate)
        return Made(line: line, listener: Parcel(listener))
    }
}
