public import Binaural
public import Crossing
public import Parameters
public import Pose
public import Render
public import RenderCore
public import RenderInterface

/// A renderer with a recording defined by a formula, driven block by block like a device.
public struct RenderHarness: ~Copyable {
    public let tree: ParameterTree
    public let store: ParameterStore
    public let lines: RenderConnections
    public let inlet: PoseInlet
    public let array: MicrophoneArray
    public let period: Int
    public let rate: Float = 48_000
    public var graph: RenderGraph
    public var feeds: Handover<SceneFeed>.Control
    public var arrays: Handover<ArrayEdit>.Control
    public var engine: Latest<EngineFrame>.Reader
    public var stamps: Ring<LatencyStamp>.Consumer
    public var changes: Ring<TimedChange>.Producer
    public var sounds: Handover<ObjectSound>.Control
    public var rooms: Handover<RoomScene>.Control
    public var left: [Float] = []
    public var right: [Float] = []

    public init(
        array: MicrophoneArray = .uniform(count: 16), method: InterpolationMethod, period: Int = 64, listeners: Int = 1,
        network: Int = 0, workers: Int = 0, protection: Protection = .none, clip: InputClip? = nil, bank: CueBank? = nil, objects: Int = 0,
        longestLoop: Int = 0, room: RoomPlan? = nil
    ) {
        tree = ParameterTree(listeners: listeners, network: network, objects: objects)
        store = ParameterStore(tree)
        lines = RenderConnections(
            store: store, wired: listeners, workers: workers, rate: rate, period: period, clip: clip, longestLoop: longestLoop, bank: bank,
            protection: protection, room: room)
        graph = lines.graph.take()
        feeds = lines.feeds.take()
        arrays = lines.arrays.take()
        engine = lines.reports.engine.take()
        stamps = lines.reports.stamps.take()
        changes = lines.changes.take()
        sounds = lines.objects.take()
        rooms = lines.rooms.take()
        inlet = PoseInlet(lines.listeners[0].networkPoses.take(), horizon: lines.listeners[0].predictionHorizon)
        self.array = array
        self.period = period
        set(TransportParameter.state, 1)
        set(ListenerParameter.method, Float(method.rawValue))
    }

    public func set<Group: ParameterGroup>(_ parameter: Group, _ value: Float, of instance: Int = 0) {
        store.set(tree.index(parameter, instance), value)
    }

    /// Sends a room; nil for a free field.
    public mutating func send(_ plan: RoomPlan?) {
        _ = rooms.send(RoomScene(plan, objects: tree.objects, rate: rate, period: period))
    }

    /// Sends a recording: `sample(channel, frame)` for `frames` frames.
    public mutating func play(
        frames: Int, number: Int64 = 1, ends: Bool = true, channels: Int? = nil, version: Int64 = 0, start: Int64 = 0,
        joint: FeedJoint? = nil,
        claim: Claim? = nil, _ sample: (Int, Int) -> Float
    ) {
        let channels = channels ?? array.count
        let ring = FrameRing(channels: channels, capacity: 1 << 17)
        var producer = ring.producer
        var interleaved: [Float] = []
        interleaved.reserveCapacity(frames * channels)
        for frame in 0..<frames { for channel in 0..<channels { interleaved.append(sample(channel, frame)) } }
        _ = producer.write(interleaved, frames: frames)
        if ends { producer.end() }
        let array = channels == array.count ? array : .uniform(count: channels)
        _ = feeds.send(
            SceneFeed(frames: ring.consumer, array: array, number: number, start: start, version: version, joint: joint, claim: claim))
    }

    /// Renders blocks and appends them to `left` and `right`; `before` is called before each.
    public mutating func render(
        blocks: Int, time: (Int) -> BlockTime = { _ in .init(begin: 0, output: 0) }, before: (Int, PoseInlet) -> Void = { _, _ in }
    ) {
        var l = [Float](repeating: 0, count: period)
        var r = l
        for block in 0..<blocks {
            before(block, inlet)
            graph.render(left: &l, right: &r, frames: period, at: time(block))
            left += l
            right += r
        }
    }
}
