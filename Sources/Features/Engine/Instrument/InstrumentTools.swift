import Crossing
import Hub
import Parameters
import Render
import RenderInterface

/// Tools of a musician at the live input: level meter, tuner, looper, metronome and cues. Used on the control thread only.
final class InstrumentTools {
    private let hub: Hub
    private let levels: TargetRow
    private let beat: TargetRow
    private let tuner: Tuner
    private let looper: LooperControl
    private var cues: Ring<CueCommand>.Producer
    private var taps = TapTempo()

    init(hub: Hub, lines: RenderConnections, rate: Int, hasInput: Bool) {
        self.hub = hub
        levels = lines.direct.inputLevels
        beat = lines.direct.beat
        cues = lines.direct.cues.take()
        tuner = Tuner(hub: hub, tap: lines.direct.tunerTap.take(), gate: lines.direct.isTunerOn.take(), rate: rate)
        looper = LooperControl(hub: hub, lines: lines, hasInput: hasInput)
    }

    func connect() {
        tuner.connect()
        looper.connect()
        let tree = hub.tree
        hub.onSet(tree.index(CueParameter.play)) { [unowned self] value, _ in
            let spec = CueParameter.gain.spec
            let gain = spec.engineValue(hub.value(tree.index(CueParameter.gain)).numbers[0])
            _ = cues.push(CueCommand(sound: Int32(clamping: value.numbers[0]), gain: gain))
        }
        hub.onSet(tree.index(CueParameter.stop)) { [unowned self] _, _ in _ = cues.push(CueCommand(sound: -1, gain: 0)) }
        hub.onSet(tree.index(CueParameter.fadeOut)) { [unowned self] value, _ in
            _ = cues.push(CueCommand(sound: -1, gain: 0, fade: value.numbers[0]))
        }
        hub.onSet(tree.index(MetronomeParameter.tap)) { [unowned self] _, message in
            guard let tempo = taps.tap(at: message.receiveTime) else { return }
            let index = tree.index(MetronomeParameter.tempo)
            hub.publish(index, .number(MetronomeParameter.tempo.spec.bounded((tempo * 10).rounded() / 10)))
        }
    }

    func publish(_ state: EngineFrame) {
        let tree = hub.tree
        let peaks = (0..<2).map { (levels.take($0) * 10_000).rounded() / 10_000 }
        hub.publish(tree.index(InputParameter.peak), .vector(peaks))
        hub.publish(
            tree.index(InputParameter.latency), .number((Float(state.inputLatency) / 1e4).rounded() / 100))
        hub.publish(tree.index(MetronomeParameter.beat), .number(beat[0]))
        tuner.publish()
        looper.publish()
    }
}

/// Tempo from taps: the median of the last intervals, so that one tap out of time changes little.
package struct TapTempo: Sendable {
    /// Seconds after which a tap starts a new measurement; 20 beats per minute are the slowest tempo.
    private static let longest = 3.0
    private static let most = 8

    private var last: UInt64?
    private var intervals: [Double] = []

    package init() {}

    /// - Parameter time: time of the tap, nanoseconds.
    /// - Returns: beats per minute; nil at the first tap.
    package mutating func tap(at time: UInt64) -> Float? {
        defer { last = time }
        guard let last, time > last else { return nil }
        let seconds = Double(time - last) / 1e9
        guard seconds < Self.longest else {
            intervals = []
            return nil
        }
        intervals = intervals.suffix(Self.most - 1) + [seconds]
        let sorted = intervals.sorted()
        let middle = 0.5 * (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2])
        return Float(60 / middle)
    }
}
