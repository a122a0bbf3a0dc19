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
        /// Largest block in frames; the plans of its racks are made for it.
        public let largestBlock: Int
        /// Seconds by which this listener's head is predicted; 0 when prediction is off.
        public let predictionHorizon: Target
        /// Every rendered head, while `isRecorded` is on.
        public let heads: Parcel<Ring<HeadStep>.Consumer>
        public let isRecorded: Parcel<Switch.Control>
        /// HRTF filters of the method `hrtf`.
        public let hrtf: Parcel<Handover<HRTFSet>.Control>
        /// Measured filters for the sound objects, made for ``largestBlock``.
        public let objectHRTF: Parcel<Handover<ObjectHRTF>.Control>
        /// Conditions of a listening test; `comparisons` selects the one that plays.
        package let comparison: Parcel<Handover<ComparisonStage>.Control>
    }

    /// The other threads' endpoints for the head of a possible listener, whether or not the listener has been made.
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
    public let reports: ReportConnections
    public let feeds: Parcel<Handover<SceneFeed>.Control>
    public let arrays: Parcel<Handover<ArrayEdit>.Control>
    /// The listeners of the device.
    public let listeners: [Listener]
    /// Heads of all listeners: those of the device, then those on the network, present or not.
    public let heads: [Head]
    /// The workers that render listeners on the network.
    public let network: NetworkConnections
    /// Presence of each listener.
    public let present: SwitchRow
    /// Scheduled changes.
    public let changes: Parcel<Ring<TimedChange>.Producer>
    /// Largest gain reduction of the protecting limiters since it was last read, decibels.
    public let limiting = TargetRow([0])
    /// Latency of those limiters while they are active, samples.
    public let protectionLatency: Int
    /// For each listener 0 while no listening test runs, otherwise the choice of ``ComparisonStage`` plus 1.
    public let comparisons: TargetRow
    /// Places of the listeners: three coordinates for each, metres in the world.
    public let places: TargetRow
    /// Live input, looper, cues and music.
    public let direct: DirectConnections
    public let objects: Parcel<Handover<ObjectSound>.Control>
    /// Memory of added objects, and the presence of each object: to add an object, switch it on, then send its memory.
    public let objectParts: Parcel<Handover<ObjectPart>.Control>
    public let presentObjects: SwitchRow
    /// Paths of objects; an empty path ends the previous one.
    public let objectPaths: Parcel<Handover<ObjectTrajectory>.Control>
    /// Place in the sounds and paths of objects, frames since their common beginning; one count.
    public let objectClock = CountRow(count: 1)
    /// Rooms of the sound objects; each fades in.
    public let rooms: Parcel<Handover<RoomScene>.Control>
    /// Taps and motion for takes.
    public let takes: TakeConnections

    /// Makes a renderer and all its connections.
    ///
    /// - Parameters:
    ///   - store: the parameters; its tree has the number of listeners and objects.
    ///   - wired: number of listeners of the device, the first ones; nil for all. The others are on the network.
    ///   - workers: number of threads that render listeners on the network.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    ///   - clip: a sound that is looped as live input.
    ///   - capture: live input of a device with its own clock.
    ///   - longestLoop: capacity of the looper, frames; 0 for no looper.
    ///   - bank: sounds of cues and metronome; nil for neither.
    ///   - protection: whether a limiter protects the listeners.
    ///   - awaitsRecording: whether devices that can wait do so until there is a recording.
    ///   - room: initial room of the sound objects; nil for a free field.
    public init(
        store: ParameterStore, wired: Int? = nil, workers: Int = 0, rate: Float, period: Int, clip: InputClip? = nil,
        capture: consuming InputFeed? = nil, longestLoop: Int = 0, bank: CueBank? = nil, protection: Protection = .none,
        awaitsRecording: Bool = true, room: RoomPlan? = nil
    ) {
        let (tree, wired) = (store.tree, wired ?? store.tree.listeners)
        let feeds = Handover<SceneFeed>()
        let arrays = Handover<ArrayEdit>()
        let changes = Ring<TimedChange>(capacity: 1024)
        // Two sounds per object: one in use, and one on its way.
        let objects = Handover<ObjectSound>(depth: 2 * ObjectParameter.most)
        let rooms = Handover<RoomScene>()
        let parts = Handover<ObjectPart>(depth: 2 * ObjectParameter.most)
        let paths = Handover<ObjectTrajectory>(depth: 2 * ObjectParameter.most)
        presentObjects = SwitchRow(count: max(1, tree.objects))
        for object in tree.presentObjects {
            let presence = presentObjects.makeSwitch(object)
            presence.control.set(true)
        }
        reports = ReportConnections(listeners: tree.listeners, objects: tree.objects)
        direct = DirectConnections(
            tree: tree, clip: clip, capture: capture, longestLoop: longestLoop, bank: bank, rate: rate, period: period)
        takes = TakeConnections(
            wired: wired, listeners: tree.listeners, objects: tree.objects, workers: workers, rate: rate, period: period)
        protectionLatency = protection == .none ? 0 : OutputChain.protectionLatency(rate: rate)
        comparisons = TargetRow(.init(repeating: 0, count: tree.listeners))
        places = TargetRow(.init(repeating: 0, count: 3 * tree.listeners))
        let maker = ListenerMaker(
            store: store, rate: rate, period: period, wired: wired, protection: protection, limiting: limiting, comparisons: comparisons,
            places: places)
        heads = maker.heads.map(\.head)
        present = maker.present
        var senders: [Parcel<BlockSender>] = []
        network = NetworkConnections(
            workers: workers, capacity: tree.listeners - wired, maker: maker, takes: takes, resets: reports.resets,
            nonFinite: reports.nonFinite
        ) { senders.append(Parcel($0)) }
        // A third of a second of sound, and five seconds of blocks of 64 frames, at 48 kHz.
        let made = (0..<wired).map { maker.make($0, ears: 16384, heads: 4096, period: period) }
        listeners = made.map(\.line)
        let graph = RenderGraph(
            store: store, rate: rate, period: period, awaitsRecording: awaitsRecording, changes: changes.consumer,
            scene: RecordingScene(feeds: feeds.realtime, edits: arrays.realtime, period: period, rate: rate), direct: direct.sound.take(),
            objects: ObjectInput(
                sounds: objects.realtime, rooms: rooms.realtime, parts: parts.realtime, trajectories: paths.realtime,
                presence: presentObjects, clock: objectClock, tree: tree, rate: rate, period: period, room: room, listeners: wired,
                isShared: workers > 0),
            takes: takes,
            listeners: WiredListeners(count: wired) { made[$0].listener.take() },
            senders: BlockSenders(count: senders.count) { senders[$0].take() },
            reports: GraphReports(
                reports.endpoints.take(), places: reports.places, positions: network.positions, rate: rate))
        self.graph = Parcel(graph)
        self.feeds = Parcel(feeds.control)
        self.arrays = Parcel(arrays.control)
        self.changes = Parcel(changes.producer)
        self.objects = Parcel(objects.control)
        self.rooms = Parcel(rooms.control)
        objectParts = Parcel(parts.control)
        objectPaths = Parcel(paths.control)
    }
}

/// Whether the limiter that protects hearing is active. It is also active for listeners without clients, so that meters show what would be
/// heard, and nothing changes when a client begins to listen.
public enum Protection: BitwiseCopyable, Sendable {
    /// Never, for sound that is written into a file as it is.
    case none
    case always

    var isActive: Bool {
        @_noLocks @_noAllocation get {
            switch self {
            case .none: false
            case .always: true
            }
        }
    }
}
