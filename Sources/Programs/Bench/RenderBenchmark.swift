import Binaural
import CBench
import CRealtime
import Crossing
import DSP
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface

/// Benchmark of a renderer with several listeners, all heads moving, over many blocks.
struct RenderBenchmark {
    var microphones = 16
    var rate: Float = 48_000
    var period = 64
    var method: InterpolationMethod
    var listeners: Int
    /// Roll of all heads, degrees.
    var roll: Float = 2
    /// Number of sounding objects.
    var objects = 0
    /// Whether the objects are encoded onto the microphone array, and whether they move in every block.
    var isEncoded = false
    var isMoving = false
    /// Whether the objects are heard through measured filters.
    var isMeasured = false
    /// Whether the objects are in a room, with reflections of the second order and a late field.
    var isReflected = false
    /// Sources that takes keep in memory, with their channels.
    var recorded: [TakeSource: Int] = [:]

    struct Result {
        /// Minimum of the runs, since other load only makes a run slower.
        var nanosecondsPerFrame: Double
        /// Counts of the rendering thread, over all runs.
        var counts: RealtimeCounts
    }

    /// Noise as filters of `hrtf`: their contents do not affect the cost.
    private var bank: FilterBank {
        let layout = HRTFLayout(.uniform(count: microphones))
        let frame = HRTFFrame(rate: rate)
        let taps = (0..<2 * microphones * frame.taps).map { Float($0 &* 7919 % 1000) / 1e6 }
        return FilterBank(layout, frame, sets: .init(repeating: taps, count: layout.sets))
    }

    /// Noise as filters for objects, in a table as large as that of a measured head.
    private var table: HRTFTable {
        let grid = DirectionGrid(step: HRTFTableDesign.step)
        let delays = (0..<grid.count).map { SIMD2(repeating: 0.0002 * Float($0 % 7) / 7) }
        let taps = (0..<HRTFFrame(rate: rate).objectTaps).map { Float($0 &* 7919 % 1000) / 1e5 }
        return HRTFTable(grid, rate: rate, delays: delays) { _, _ in taps }
    }

    /// A room of 10 by 8 by 3.5 m with painted walls.
    private var room: RoomPlan? {
        RoomMaterial.all.first.flatMap { wall in
            RoomPlan(Shoebox(size: SIMD3(10, 8, 3.5), walls: .init(repeating: wall, count: 6)), order: 2, rate: rate)
        }
    }

    func run(runs: Int = 7) -> Result {
        let tree = ParameterTree(listeners: listeners, objects: objects)
        let store = ParameterStore(tree)
        store.set(tree.index(TransportParameter.state), 1)
        for i in 0..<listeners { store.set(tree.index(ListenerParameter.method, i), Float(method.rawValue)) }
        let lines = RenderConnections(store: store, rate: rate, period: period)
        let capacity = 1 << 16
        let ring = FrameRing(channels: microphones, capacity: capacity)
        var feed = ring.producer
        var feeds = lines.feeds.take()
        _ = feeds.send(SceneFeed(frames: ring.consumer, array: .uniform(count: microphones), number: 1))
        var sounds = lines.objects.take()
        for object in 0..<objects {
            let sound = (0..<48_000).map { Float(($0 + object) &* 7919 % 1000) / 4000 - 0.125 }
            _ = sounds.send(ObjectSound(object: object, mono: sound))
            store.set(tree.index(ObjectParameter.azimuth, object), Float(object * 37 % 360 - 180))
            store.set(tree.index(ObjectParameter.renderer, object), isEncoded ? 1 : 0)
        }
        if isReflected, let room {
            var rooms = lines.rooms.take()
            _ = rooms.send(RoomScene(room, objects: objects, listeners: listeners, rate: rate, period: period))
        }
        let take = RecordedTake(lines.takes, channels: recorded)
        var graph = lines.graph.take()
        if method == .hrtf {
            let bank = bank
            for listener in lines.listeners {
                var ears = listener.hrtf.take()
                _ = ears.send(HRTFSet(bank))
            }
        }
        if isMeasured {
            let table = table
            for listener in lines.listeners {
                var ears = listener.objectHRTF.take()
                _ = ears.send(ObjectHRTF(table, objects: objects, period: period, rate: rate))
            }
        }
        let inlets = lines.listeners.map { PoseInlet($0.networkPoses.take()) }
        let poses = (0..<720).map { Orientation.quaternion(yaw: Float($0) / 2, pitch: 5, roll: roll) }
        var random = SeededRandom(seed: 1)
        let noise = (0..<capacity * microphones).map { _ in 0.5 * Float(random.white()) }
        var left = [Float](repeating: 0, count: period)
        var right = [Float](repeating: 0, count: period)
        let blocks = capacity / period - 32
        var least = UInt64.max
        var counter = RealtimeCounter()
        var turn = 0
        realtime_flush_denormals()
        for _ in 0...runs {
            _ = feed.write(noise, frames: feed.free)
            take.empty()
            var spent: UInt64 = 0
            for _ in 0..<blocks {
                turn += 1
                for (i, inlet) in inlets.enumerated() {
                    inlet.send(quaternion: poses[(turn + 7 * i) % poses.count], receiveTime: 0)
                }
                for object in 0..<(isMoving ? objects : 0) {
                    store.set(tree.index(ObjectParameter.azimuth, object), Float((object * 37 + turn) % 360 - 180))
                }
                counter.begin()
                let begin = rt_now()
                graph.render(left: &left, right: &right, frames: period, at: BlockTime(begin: begin, output: begin))
                spent += rt_now() - begin
                counter.end()
            }
            least = min(least, spent)
        }
        return Result(
            nanosecondsPerFrame: Double(least) / Double(blocks * period),
            counts: counter.counts(blocks: (runs + 1) * blocks))
    }
}
