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
    /// Number of sounding, moving objects.
    var objects = 0
    /// Whether the objects are heard through measured filters.
    var isMeasured = false
    /// Sources that takes keep in memory, with their channels.
    var recorded: [TakeSource: Int] = [:]

    struct Result {
        /// Minimum of the runs, since other load only makes a run slower.
        var nanosecondsPerFrame: Double
        /// Counts of the rendering thread, over all runs.
        var counts: RealtimeCounts
    }

    /// Noise as filters of `personal`: their contents do not affect the cost.
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
        }
        let take = RecordedTake(lines.takes, channels: recorded)
        var graph = lines.graph.take()
        if method == .personal {
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
