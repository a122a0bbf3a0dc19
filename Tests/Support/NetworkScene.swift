public import Binaural
public import Crossing
internal import Parameters
public import Pose
public import Render

/// A renderer with one listener of the device and several on the network, all with the same head.
public struct NetworkScene: ~Copyable {
    public var harness: RenderHarness
    public var worker: NetworkRenderer
    public var arrays: Handover<ArrayEdit>.Control
    public var listeners: Handover<NetworkListener>.Control
    public let isNeeded: Switch.Control
    public var ears: [EarReader]
    public var inlets: [PoseInlet]
    public let hop: Int

    public init(
        _ method: InterpolationMethod, listeners count: Int = 2, objects: Int = 0, clip: InputClip? = nil, period: Int = 64,
        room: RoomPlan? = nil
    ) {
        harness = RenderHarness(
            method: method, period: period, network: count, workers: 1, protection: .always, clip: clip, objects: objects,
            room: room)
        let lines = harness.lines
        let line = lines.network.workers[0]
        worker = line.renderer.take()
        arrays = line.arrays.take()
        listeners = line.listeners.take()
        isNeeded = line.isNeeded.take()
        hop = lines.network.hop
        ears = []
        inlets = []
        _ = arrays.send(ArrayEdit(RingLookup(harness.array), version: 0))
        for i in 1...count {
            let made = lines.network.make(i, &listeners)
            made.isHeard.take().set(true)
            let presence = lines.present.makeSwitch(i)
            presence.control.set(true)
            ears.append(EarReader(made.ears.take()))
            inlets.append(PoseInlet(made.networkPoses.take(), horizon: made.predictionHorizon))
            harness.set(ListenerParameter.method, Float(method.rawValue), of: i)
        }
        isNeeded.set(true)
    }

    /// Renders blocks on both threads' behalf, all heads turning alike before every hop; the worker runs after it.
    public mutating func render(blocks: Int, hop: Int = 1, turning: Float = 1.5) -> (device: [Float], network: [[Float]]) {
        var network = [[Float]](repeating: [], count: ears.count)
        let begin = harness.left.count
        for turn in 0..<blocks / hop {
            Self.turn(Float(turn) * turning, inlets + [harness.inlet], time: UInt64(turn + 1))
            harness.render(blocks: hop)
            worker.render(hop: hop)
            for (i, reader) in ears.enumerated() { network[i] += reader.read() }
        }
        return (Self.interleaved(harness, from: begin), network)
    }

    /// Turns heads alike.
    public static func turn(_ yaw: Float, _ inlets: [PoseInlet], time: UInt64) {
        for inlet in inlets { inlet.send(yaw: yaw, pitch: 10, roll: -5, receiveTime: time) }
    }

    /// Sound of a device, both ears in turns.
    public static func interleaved(_ harness: borrowing RenderHarness, from begin: Int = 0) -> [Float] {
        var device: [Float] = []
        for i in begin..<harness.left.count { device += [harness.left[i], harness.right[i]] }
        return device
    }
}
