public import Binaural
internal import CRealtime
internal import Crossing
internal import Parameters
internal import Pose
internal import Render
internal import RenderCore
internal import RenderInterface

/// The live renderer driven block by block: microphones through a frame ring, poses through tracker inputs, ears from
/// the rings of network listeners. Not thread-safe.
public struct EarRenderer {
    public let array: MicrophoneArray
    public let method: InterpolationMethod
    /// Frames per second.
    public static let rate = 48_000.0
    /// Frames per block.
    public static let block = 64

    /// HRTF filters for the array; nil without any.
    private let bank: FilterBank?

    /// - Parameter bank: HRTF filters for this array; needed by `hrtf`.
    public init(array: MicrophoneArray, method: InterpolationMethod, bank: FilterBank? = nil) {
        self.array = array
        self.method = method
        self.bank = bank
    }

    /// Renders one head for each entry in `yaws`.
    ///
    /// - Parameters:
    ///   - microphones: one period of each channel, repeated.
    ///   - frames: number of frames, a multiple of ``block``.
    ///   - yaws: for each head, returns its yaw at a frame in degrees; called for the last frame of every block.
    /// - Returns: left and right ear of each head, head by head.
    public func render(microphones: [[Float]], frames: Int, yaws: [(Int) -> Double]) -> [[Float]] {
        render(microphones: microphones, frames: frames, heads: yaws.map { yaw in { SIMD3(yaw($0), 0, 0) } })
    }

    /// The same for heads with yaw, pitch and roll, degrees.
    func render(microphones: [[Float]], frames: Int, heads angles: [(Int) -> SIMD3<Double>]) -> [[Float]] {
        render(microphones: microphones, object: nil, frames: frames, heads: angles)
    }

    /// Renders a sound object with silent microphones, for an upright head.
    ///
    /// - Parameter yaw: of the head, degrees.
    /// - Returns: left and right ear.
    func render(_ object: EvaluatedObject, frames: Int, yaw: Double) -> [[Float]] {
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 512), count: array.count)
        return render(microphones: silence, object: object, frames: frames, heads: [{ _ in SIMD3(yaw, 0, 0) }])
    }

    private func render(
        microphones: [[Float]], object: EvaluatedObject?, frames: Int, heads angles: [(Int) -> SIMD3<Double>]
    ) -> [[Float]] {
        precondition(frames.isMultiple(of: Self.block) && microphones.count == array.count)
        let tree = ParameterTree(listeners: angles.count, objects: object == nil ? 0 : 1)
        let store = ParameterStore(tree)
        store.set(tree.index(TransportParameter.state), Float(TransportParameter.playing))
        for head in angles.indices { store.set(tree.index(ListenerParameter.method, head), Float(method.rawValue)) }
        let lines = RenderConnections(store: store, rate: Float(Self.rate), period: Self.block)
        // The renderer requires a block and a fade to be available.
        let ring = FrameRing(channels: array.count, capacity: 8192)
        var feed = LoopedFeed(ring.producer, microphones)
        var feeds = lines.feeds.take()
        _ = feeds.send(SceneFeed(frames: ring.consumer, array: array, number: 1))
        var sounds = lines.objects.take()
        if let object {
            store.set(tree.index(ObjectParameter.azimuth), Float(object.azimuth.remainder(dividingBy: 360)))
            store.set(tree.index(ObjectParameter.elevation), Float(object.elevation))
            store.set(tree.index(ObjectParameter.renderer), object.isEncoded ? 1 : 0)
            _ = sounds.send(ObjectSound(object: 0, mono: object.sound))
        }
        var graph = lines.graph.take()
        let heads = lines.listeners.map { Head($0, bank) }
        var (left, right) = ([Float](repeating: 0, count: Self.block), [Float](repeating: 0, count: Self.block))
        realtime_flush_denormals()
        for first in stride(from: 0, to: frames, by: Self.block) {
            feed.fill()
            for (head, angles) in zip(heads, angles) { head.turn(to: angles(first + Self.block - 1)) }
            graph.render(left: &left, right: &right, frames: Self.block, at: BlockTime(begin: 0, output: 0))
            for head in heads { head.collect() }
        }
        return heads.flatMap { [$0.left, $0.right] }
    }

    /// Non-realtime endpoints of one listener.
    private final class Head {
        private let inlet: PoseInlet
        private var ears: FrameRing.Consumer
        private var hrtf: Handover<HRTFSet>.Control
        private var pairs = [Float](repeating: 0, count: 2 * EarRenderer.block)
        private(set) var left: [Float] = []
        private(set) var right: [Float] = []

        init(_ lines: RenderConnections.Listener, _ bank: FilterBank?) {
            inlet = PoseInlet(lines.networkPoses.take())
            ears = lines.ears.take()
            lines.isHeard.take().set(true)
            hrtf = lines.hrtf.take()
            if let bank { _ = hrtf.send(HRTFSet(bank)) }
        }

        func turn(to angles: SIMD3<Double>) {
            inlet.send(
                yaw: Float(angles.x.remainder(dividingBy: 360)), pitch: Float(angles.y), roll: Float(angles.z), receiveTime: 0)
        }

        func collect() {
            let count = ears.read(&pairs, frames: EarRenderer.block)
            precondition(count == EarRenderer.block, "every block reaches the ring")
            for frame in 0..<count {
                left.append(pairs[2 * frame])
                right.append(pairs[2 * frame + 1])
            }
        }
    }
}

/// Feed of periodic signals to the renderer.
struct LoopedFeed: ~Copyable {
    private var producer: FrameRing.Producer
    private let interleaved: [Float]
    private let period: Int
    private let channels: Int
    private var place = 0

    /// - Parameter signals: one period of every channel.
    init(_ producer: consuming FrameRing.Producer, _ signals: [[Float]]) {
        self.producer = producer
        channels = signals.count
        period = signals[0].count
        var interleaved = [Float](repeating: 0, count: channels * period)
        for (channel, signal) in signals.enumerated() {
            for frame in 0..<period { interleaved[frame * channels + channel] = signal[frame] }
        }
        self.interleaved = interleaved
    }

    /// Writes as many frames as fit.
    mutating func fill() {
        while producer.free > 0 {
            let count = min(producer.free, period - place)
            let written = interleaved.withUnsafeBufferPointer {
                producer.write($0.baseAddress! + place * channels, frames: count)
            }
            place = (place + written) % period
        }
    }
}

/// The head simulated for `hrtf`: a rigid sphere of another size than the array's.
struct HRTFHead {
    let sphere: Sphere
    private let responses: HeadResponses

    init(_ plan: EvaluationPlan) {
        sphere = Sphere(radius: plan.headRadius)
        responses = .sphere(radius: plan.headRadius, rate: EarRenderer.rate)
    }

    /// Returns the filters from an array to the head's ears; nil for any other method.
    func bank(_ array: MicrophoneArray, _ method: InterpolationMethod) -> FilterBank? {
        guard method == .hrtf else { return nil }
        let layout = HRTFLayout(array)
        let design = HRTFDesign(responses, layout, rate: EarRenderer.rate)
        return FilterBank(layout, design.frame, sets: (0..<layout.sets).map(design.taps))
    }
}
