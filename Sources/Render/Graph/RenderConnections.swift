public import Binaural
public import Crossing
internal import Parameters
public import Rack
public import RenderCore
public import RenderInterface

/// Connections between one renderer and the other threads: the other threads' endpoints, each to be taken once.
public struct RenderConnections: Sendable {
    /// The other threads' endpoints for one listener.
    public struct Listener: Sendable {
        public let networkPoses: Parcel<Latest<HeadPose>.Writer>
        public let controlPoses: Parcel<Latest<HeadPose>.Writer>
        public let meters: Parcel<Ring<ListenerFrame>.Consumer>
        public let ears: Parcel<FrameRing.Consumer>
        public let isHeard: Parcel<Switch.Control>
        /// Plans of the rack on the recording and of the rack on the mix, for this listener.
        public let recordingRack: Parcel<Handover<RackPlan>.Control>
        public let outputRack: Parcel<Handover<RackPlan>.Control>
        /// Frames that are rendered at once, at most: the plans of its racks are made for as many.
        public let largestBlock: Int
        /// Seconds by which this listener's head is predicted; 0 when prediction is off.
        public let predictionHorizon: Target
        /// Every rendered head, while `isRecorded` is on.
        public let heads: Parcel<Ring<HeadStep>.Consumer>
        public let isRecorded: Parcel<Switch.Control>
        /// HRTF filters of the method `personal`.
        public let hrtf: Parcel<Handover<HRTFSet>.Control>
        /// Measured filters for the sound objects, made for ``largestBlock``.
        public let objectHRTF: Parcel<Handover<ObjectHRTF>.Control>
        /// Conditions of a listening test; the order to play one of them is in `comparisons`.
        package let comparison: Parcel<Handover<ComparisonStage>.Control>
    }

    /// The other threads' endpoints for the head of a listener that there may be, whether it has been made or not.
    public struct Head: Sendable {
        /// Poses from the network.
        public let poses: Parcel<Latest<HeadPose>.Writer>
        /// Seconds by which the head is predicted; 0 when prediction is off.
        public let horizon: Target
        /// Whether there is such a listener.
        public let isPresent: Parcel<Switch.Realtime>
    }

    /// The renderer itself, for the device.
    public let graph: Parcel<RenderGraph>
    public let feeds: Parcel<Handover<SceneFeed>.Control>
    public let arrays: Parcel<Handover<ArrayEdit>.Control>
    public let engine: Parcel<Latest<EngineFrame>.Reader>
    public let microphones: Parcel<Ring<MicrophoneFrame>.Consumer>
    public let stamps: Parcel<Ring<LatencyStamp>.Consumer>
    /// The listeners of the device.
    public let listeners: [Listener]
    /// Heads of all listeners: those of the device, then those that there may be on the network.
    public let heads: [Head]
    /// The workers that render listeners on the network.
    public let network: NetworkConnections
    /// Which listeners there are.
    public let present: SwitchRow
    /// Scheduled changes.
    public let changes: Parcel<Ring<TimedChange>.Producer>
    /// Largest gain reduction of the protecting limiters since it was read, decibels.
    public let limiting = TargetRow([0])
    /// Places at which sound is kept in range; how often sound out of range was replaced at each, and how often of these
    /// its samples were not finite.
    public let places: RangePlaces
    public let resets: CountRow
    public let nonFinite: CountRow
    /// Latency of those limiters while they are active, samples.
    public let protectionLatency: Int
    /// For each listener 0 while no listening test runs, otherwise the order of ``ComparisonStage`` plus 1.
    public let comparisons: TargetRow
    /// Plans of the rack on the live input.
    public let inputRack: Parcel<Handover<RackPlan>.Control>
    /// Peaks of both sides of the live input since they were read.
    public let inputLevels = TargetRow(.init(repeating: 0, count: LiveInput.Meter.count))
    public let cues: Parcel<Ring<CueOrder>.Producer>
    /// Present beat of the metronome, counted from 1; 0 while it is stopped.
    public let beat = TargetRow([0])
    public let looper: Parcel<Ring<LooperCommand>.Producer>
    /// Reports of the looper: its state as ``LooperState`` counts, length in seconds, place in the loop, undo and redo.
    public let loop = TargetRow(.init(repeating: 0, count: LooperPlayer.Report.count))
    public let objects: Parcel<Handover<ObjectSound>.Control>
    public let music: Parcel<Handover<MusicFeed>.Control>
    /// 1 while music is heard; 0 while there is none, or too little of it in store.
    public let isMusicHeard = TargetRow([0])
    /// Taps and motion for takes.
    public let takes: TakeConnections
    /// Mean of both sides of the live input, for the tuner, and the switch that turns it on.
    public let tunerTap: Parcel<FrameRing.Consumer>
    public let isTunerOn: Parcel<Switch.Control>

    /// Makes a renderer and all its connections.
    ///
    /// - Parameters:
    ///   - store: the parameters; its tree has the number of listeners and objects.
    ///   - wired: number of listeners of the device, the first ones; nil for all. The others are on the network.
    ///   - workers: number of threads that render listeners on the network.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - clip: a sound that is looped as live input.
    ///   - capture: live input of a device with a clock of its own.
    ///   - longestLoop: capacity of the looper, frames; 0 for no looper.
    ///   - bank: sounds of cues and metronome; nil for neither.
    ///   - protection: whether a limiter protects the listeners.
    ///   - awaitsRecording: whether devices that can wait do so until there is a recording.
    ///   - room: where the sound objects are; nil for a free field.
    public init(
        store: ParameterStore, wired: Int? = nil, workers: Int = 0, rate: Float, period: Int, clip: InputClip? = nil,
        capture: consuming InputFeed? = nil, longestLoop: Int = 0, bank: CueBank? = nil, protection: Protection = .none,
        awaitsRecording: Bool = true, room: RoomPlan? = nil
    ) {
        precondition(room == nil || workers == 0, "rooms are rendered for the listeners of the device")
        let feeds = Handover<SceneFeed>()
        let arrays = Handover<ArrayEdit>()
        let engine = Latest(EngineFrame())
        let microphones = Ring<MicrophoneFrame>(capacity: 16)
        let stamps = Ring<LatencyStamp>(capacity: 16384)
        var listeners: [Listener] = []
        places = RangePlaces(listeners: store.tree.listeners, objects: store.tree.objects)
        resets = CountRow(count: places.count)
        nonFinite = CountRow(count: places.count)
        let engineEndpoints = EngineEndpoints(
            engine: engine.writer, microphones: microphones.producer, stamps: stamps.producer, resets: resets,
            nonFinite: nonFinite)
        let wired = wired ?? store.tree.listeners
        comparisons = TargetRow(.init(repeating: 0, count: store.tree.listeners))
        let maker = ListenerMaker(
            store: store, rate: rate, period: period, wired: wired, protection: protection, limiting: limiting, comparisons: comparisons,
            reflections: room?.images.count ?? 0)
        heads = maker.heads.map(\.head)
        present = maker.present
        var senders: [Parcel<BlockSender>] = []
        let takes = TakeConnections(wired: wired, listeners: store.tree.listeners, objects: store.tree.objects, workers: workers)
        self.takes = takes
        network = NetworkConnections(
            workers: workers, capacity: store.tree.listeners - wired, maker: maker, takes: takes, resets: resets, nonFinite: nonFinite
        ) { senders.append(Parcel($0)) }
        let inputRack = RackConnection()
        protectionLatency = protection == .none ? 0 : OutputChain.protectionLatency(rate: rate)
        self.inputRack = inputRack.control
        // Over a second at 48 kHz.
        let tap = FrameRing(channels: 1, capacity: 1 << 16)
        let tuner = Switch()
        let input = LiveInput(
            clip: clip, feed: capture, chain: InputChain(rack: inputRack.makeRack(rate: rate, period: period)), tap: tap.producer,
            isTapped: tuner.realtime, meters: inputLevels,
            parameters: store.tree.index(InputParameter.gain), period: period, rate: rate)
        let orders = Ring<CueOrder>(capacity: 64)
        self.cues = Parcel(orders.producer)
        let cues: CuePlayer? =
            if let bank {
                CuePlayer(bank: bank, orders: orders.consumer, beat: beat, tree: store.tree, rate: rate, period: period)
            } else { nil }
        let commands = Ring<LooperCommand>(capacity: 64)
        looper = Parcel(commands.producer)
        let looper: LooperPlayer? =
            if longestLoop > 0 {
                LooperPlayer(
                    capacity: longestLoop, commands: commands.consumer, report: loop, tree: store.tree, rate: rate, period: period)
            } else { nil }
        // As many as there are, and each once more.
        let objects = Handover<ObjectSound>(depth: 2 * ObjectParameter.most)
        self.objects = Parcel(objects.control)
        let feed = Handover<MusicFeed>()
        music = Parcel(feed.control)
        let music = MusicPlayer(feeds: feed.realtime, report: isMusicHeard, tree: store.tree, rate: rate, period: period)
        tunerTap = Parcel(tap.consumer)
        isTunerOn = Parcel(tuner.control)
        let changes = Ring<TimedChange>(capacity: 1024)
        self.changes = Parcel(changes.producer)
        let graph = RenderGraph(
            store: store, rate: rate, period: period, feeds: feeds.realtime, edits: arrays.realtime,
            input: input, looper: looper, cues: cues, music: music, objects: objects.realtime, room: room, awaitsRecording: awaitsRecording,
            changes: changes.consumer, engine: engineEndpoints, takes: takes, positions: network.positions, wired: wired,
            listener: { i in
                // A third of a second of sound, and five seconds of blocks of 64 frames, at 48 kHz.
                let made = maker.make(i, ears: 16384, heads: 4096, period: period)
                listeners.append(made.line)
                return made.listener.take()
            }, workers: senders.count, worker: { senders[$0].take() })
        self.graph = Parcel(graph)
        self.feeds = Parcel(feeds.control)
        self.arrays = Parcel(arrays.control)
        self.engine = Parcel(engine.reader)
        self.microphones = Parcel(microphones.consumer)
        self.stamps = Parcel(stamps.consumer)
        self.listeners = listeners
    }
}
