public import Crossing
internal import Parameters
public import Rack

/// Everything that connects one renderer with the other threads: their ends, each to be taken once.
public struct RenderLines: Sendable {
    /// The other threads' ends of what one listener shares.
    public struct Listener: Sendable {
        public let networkPoses: Parcel<Latest<HeadPose>.Writer>
        public let controlPoses: Parcel<Latest<HeadPose>.Writer>
        public let meters: Parcel<Ring<ListenerFrame>.Consumer>
        public let ears: Parcel<FrameRing.Consumer>
        public let isHeard: Parcel<Gate.Control>
        /// Of the rack on the recording as this listener hears it, and of the one on everything.
        public let recordingRack: Parcel<Handover<RackPlan>.Control>
        public let outputRack: Parcel<Handover<RackPlan>.Control>
        /// How far ahead the poses of this listener are looked at.
        public let horizon: Horizon
        /// Every head that is rendered, while the gate is open.
        public let heads: Parcel<Ring<HeadStep>.Consumer>
        public let isRecorded: Parcel<Gate.Control>
        /// How they come, by which way.
        public let networkArrivals = PoseArrivals()
        public let controlArrivals = PoseArrivals()
        public let personal: Parcel<Handover<PersonalEars>.Control>
    }

    /// The renderer itself, for the device.
    public let graph: Parcel<RenderGraph>
    public let feeds: Parcel<Handover<SceneFeed>.Control>
    public let arrays: Parcel<Handover<ArrayEdit>.Control>
    public let engine: Parcel<Latest<EngineFrame>.Reader>
    public let microphones: Parcel<Ring<MicrophoneFrame>.Consumer>
    public let stamps: Parcel<Ring<LatencyStamp>.Consumer>
    public let listeners: [Listener]
    /// Takes what is to change at a time to come.
    public let changes: Parcel<Ring<TimedChange>.Producer>
    /// The largest reduction of the limiters that protect ears since it was taken, decibels.
    public let limiting = SharedRow([0])
    /// Samples that those limiters add while they are at work.
    public let protectionLatency: Int
    /// Of the rack on the live input.
    public let inputRack: Parcel<Handover<RackPlan>.Control>
    /// Both sides' largest samples of the live input since they were taken.
    public let inputLevels = SharedRow(.init(repeating: 0, count: LiveInput.Meter.count))
    /// The mean of both sides of the live input, for the tuner, and whether it is wanted.
    public let cues: Parcel<Ring<CueOrder>.Producer>
    /// Which beat the metronome is at, counted from 1; 0 while it stands.
    public let beat = SharedRow([0])
    public let objects: Parcel<Handover<ObjectSound>.Control>
    public let tunerTap: Parcel<FrameRing.Consumer>
    public let isTunerOn: Parcel<Gate.Control>

    /// Makes a renderer and all its connections.
    ///
    /// - Parameters:
    ///   - store: the parameters; its tree says how many listeners there are.
    ///   - rate: frames per second.
    ///   - period: the largest block, frames.
    ///   - clip: what is played over and over as live input.
    ///   - bank: sounds of cues and metronome; nil for neither.
    ///   - awaitsRecording: whether devices that can wait do so until there is a recording.
    ///   - protection: of the first listener, whom the device plays to; the others are heard over the network.
    public init(
        store: ParameterStore, rate: Float, period: Int, clip: InputClip? = nil, bank: CueBank? = nil,
        protection: Protection = .none, awaitsRecording: Bool = true
    ) {
        let feeds = Handover<SceneFeed>()
        let arrays = Handover<ArrayEdit>()
        let engine = Latest(EngineFrame())
        let microphones = Ring<MicrophoneFrame>(capacity: 16)
        let stamps = Ring<LatencyStamp>(capacity: 16384)
        var listeners: [Listener] = []
        let engineEnds = EngineEnds(
            engine: engine.writer, microphones: microphones.producer, stamps: stamps.producer)
        let racks = (0..<store.tree.listeners).map { _ in
            (recording: RackLine(), output: RackLine())
        }
        let heard = GateRow(count: store.tree.listeners)
        let recorded = GateRow(count: store.tree.listeners)
        let limiting = limiting
        let inputRack = RackLine()
        protectionLatency = protection == .none ? 0 : OutputChain.protectionLatency(rate: rate)
        self.inputRack = inputRack.control
        // Over a second at 48 kHz.
        let tap = FrameRing(channels: 1, capacity: 1 << 16)
        let tuner = Gate()
        let input = LiveInput(
            clip: clip, plans: inputRack.realtime.take(), tap: tap.producer, isTapped: tuner.realtime, meters: inputLevels,
            slots: store.tree.slot(InputParameter.gain), rate: rate, period: period)
        let orders = Ring<CueOrder>(capacity: 64)
        self.cues = Parcel(orders.producer)
        let cues: CuePlayer? =
            if let bank {
                CuePlayer(bank: bank, orders: orders.consumer, beat: beat, tree: store.tree, rate: rate, period: period)
            } else { nil }
        // As many as there are, and each once more.
        let objects = Handover<ObjectSound>(depth: 2 * ObjectParameter.most)
        self.objects = Parcel(objects.control)
        tunerTap = Parcel(tap.consumer)
        isTunerOn = Parcel(tuner.control)
        let changes = Ring<TimedChange>(capacity: 1024)
        self.changes = Parcel(changes.producer)
        let graph = RenderGraph(
            store: store, rate: rate, period: period, feeds: feeds.realtime, edits: arrays.realtime,
            input: input, cues: cues, objects: objects.realtime, awaitsRecording: awaitsRecording,
            changes: changes.consumer, engine: engineEnds,
            chain: { i in
                OutputChain(
                    recording: racks[i].recording.realtime.take(), output: racks[i].output.realtime.take(), rate: rate,
                    period: period, protection: protection == .none || i == 0 ? protection : .whenHeard, meters: limiting)
            }
        ) { i in
            let network = Latest(HeadPose.ahead)
            let control = Latest(HeadPose.ahead)
            let meters = Ring<ListenerFrame>(capacity: 16)
            // A third of a second at 48 kHz.
            let ears = FrameRing(channels: 2, capacity: 16384)
            let gate = heard.gate(i)
            let horizon = Horizon()
            let personal = Handover<PersonalEars>()
            // Five seconds of blocks of 64 frames.
            let heads = Ring<HeadStep>(capacity: 4096)
            let recorded = recorded.gate(i)
            listeners.append(
                Listener(
                    networkPoses: Parcel(network.writer), controlPoses: Parcel(control.writer),
                    meters: Parcel(meters.consumer), ears: Parcel(ears.consumer), isHeard: Parcel(gate.control),
                    recordingRack: racks[i].recording.control, outputRack: racks[i].output.control, horizon: horizon,
                    heads: Parcel(heads.consumer), isRecorded: Parcel(recorded.control),
                    personal: Parcel(personal.control)))
            return ListenerEnds(
                networkPoses: network.reader, controlPoses: control.reader, meters: meters.producer,
                ears: ears.producer, isHeard: gate.realtime, horizon: horizon.makeWriter(),
                tape: HeadTape(steps: heads.producer, isWanted: recorded.realtime), personal: personal.realtime)
        }
        self.graph = Parcel(graph)
        self.feeds = Parcel(feeds.control)
        self.arrays = Parcel(arrays.control)
        self.engine = Parcel(engine.reader)
        self.microphones = Parcel(microphones.consumer)
        self.stamps = Parcel(stamps.consumer)
        self.listeners = listeners
    }
}
