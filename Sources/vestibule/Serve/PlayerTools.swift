import Crossing
import Hub
import Parameters
import RackControl
import Render

/// What a player has around the instrument: the input's meter, tuner, metronome and cues. Control thread.
final class PlayerTools {
    private let hub: Hub
    private let levels: SharedRow
    private let beat: SharedRow
    private let tuner: Tuner
    private var cues: Ring<CueOrder>.Producer
    private var taps = TapTempo()

    init(hub: Hub, lines: RenderLines, rate: Int) {
        self.hub = hub
        levels = lines.inputLevels
        beat = lines.beat
        cues = lines.cues.take()
        tuner = Tuner(hub: hub, tap: lines.tunerTap.take(), gate: lines.isTunerOn.take(), rate: rate)
    }

    func connect() {
        tuner.connect()
        let tree = hub.tree
        hub.onSet(tree.slot(CueParameter.play)) { [unowned self] value, _ in
            let spec = CueParameter.gain.spec
            let gain = spec.engineValue(hub.value(tree.slot(CueParameter.gain)).numbers[0])
            _ = cues.push(CueOrder(sound: Int32(value.numbers[0]), gain: gain))
        }
        hub.onSet(tree.slot(CueParameter.stop)) { [unowned self] _, _ in _ = cues.push(CueOrder(sound: -1, gain: 0)) }
        hub.onSet(tree.slot(MetronomeParameter.tap)) { [unowned self] _, message in
            guard let tempo = taps.tap(at: message.receiveTime) else { return }
            let slot = tree.slot(MetronomeParameter.tempo)
            hub.publish(slot, .number(MetronomeParameter.tempo.spec.clamped((tempo * 10).rounded() / 10)))
        }
    }

    func publish(_ state: EngineFrame) {
        let tree = hub.tree
        let peaks = (0..<2).map { (levels.take($0) * 10_000).rounded() / 10_000 }
        hub.publish(tree.slot(InputParameter.peak), .vector(peaks))
        hub.publish(
            tree.slot(InputParameter.latency), .number((Float(state.inputLatency) / 1e4).rounded() / 100))
        hub.publish(tree.slot(MetronomeParameter.beat), .number(beat[0]))
        tuner.publish()
    }
}
