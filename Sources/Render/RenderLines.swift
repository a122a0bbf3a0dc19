public import Crossing

/// Everything that connects one renderer with the other threads: their ends, each to be taken once.
public struct RenderLines: Sendable {
    /// The other threads' ends of what one listener shares.
    public struct Listener: Sendable {
        public let networkPoses: Parcel<Latest<HeadPose>.Writer>
        public let controlPoses: Parcel<Latest<HeadPose>.Writer>
        public let meters: Parcel<Ring<ListenerFrame>.Consumer>
        public let ears: Parcel<FrameRing.Consumer>
        public let isHeard: Parcel<Gate.Control>
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

    /// Makes a renderer and all its connections.
    ///
    /// - Parameters:
    ///   - store: the parameters; its tree says how many listeners there are.
    ///   - rate: frames per second.
    ///   - period: the largest block, frames.
    public init(store: ParameterStore, rate: Float, period: Int) {
        let feeds = Handover<SceneFeed>()
        let arrays = Handover<ArrayEdit>()
        let engine = Latest(EngineFrame())
        let microphones = Ring<MicrophoneFrame>(capacity: 8)
        let stamps = Ring<LatencyStamp>(capacity: 16384)
        var listeners: [Listener] = []
        let engineEnds = EngineEnds(
            engine: engine.writer, microphones: microphones.producer, stamps: stamps.producer)
        let graph = RenderGraph(
            store: store, rate: rate, period: period, feeds: feeds.realtime, edits: arrays.realtime,
            engine: engineEnds
        ) { _ in
            let network = Latest(HeadPose.ahead)
            let control = Latest(HeadPose.ahead)
            let meters = Ring<ListenerFrame>(capacity: 8)
            // A third of a second at 48 kHz.
            let ears = FrameRing(channels: 2, capacity: 16384)
            let gate = Gate()
            let horizon = Horizon()
            let personal = Handover<PersonalEars>()
            // Five seconds of blocks of 64 frames.
            let heads = Ring<HeadStep>(capacity: 4096)
            let recorded = Gate()
            listeners.append(
                Listener(
                    networkPoses: Parcel(network.writer), controlPoses: Parcel(control.writer),
                    meters: Parcel(meters.consumer), ears: Parcel(ears.consumer), isHeard: Parcel(gate.control),
                    horizon: horizon, heads: Parcel(heads.consumer), isRecorded: Parcel(recorded.control),
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
