public import Crossing
internal import DSP
public import Hub
internal import Parameters

/// The chromatic tuner: what note the live input plays, some fifteen times a second. Lives on the control thread.
public final class Tuner {
    private let hub: Hub
    private var tap: FrameRing.Consumer
    private let gate: Gate.Control
    private var finder: PitchFinder
    private var heard: [Float] = []
    private var chunk = [Float](repeating: 0, count: 1024)
    private let hop: Int
    private var isOn = false

    /// - Parameters:
    ///   - tap: the live input, mono.
    ///   - gate: opened while the tuner listens.
    ///   - rate: frames per second.
    public init(hub: Hub, tap: consuming FrameRing.Consumer, gate: consuming Gate.Control, rate: Int) {
        self.hub = hub
        self.tap = tap
        self.gate = gate
        finder = PitchFinder(rate: Float(rate))
        hop = rate / 15
    }

    public func connect() {
        hub.onSet(hub.tree.slot(TunerParameter.run)) { [unowned self] value, _ in
            isOn = value.numbers[0] != 0
            gate.set(isOn)
            heard = []
            if !isOn { show(nil) }
        }
    }

    /// Looks at what has come in since the last call.
    public func publish() {
        var isNews = false
        while true {
            let count = chunk.withUnsafeMutableBufferPointer { tap.read($0.baseAddress!, frames: $0.count) }
            guard count > 0 else { break }
            guard isOn else { continue }
            heard += chunk[..<count]
            isNews = true
        }
        guard isOn, isNews, heard.count >= finder.window else { return }
        show(finder.find(Array(heard.suffix(finder.window))))
        // The windows overlap; what comes until then is waited for.
        heard = Array(heard.suffix(max(0, finder.window - hop)))
    }

    private func show(_ frequency: Float?) {
        let tree = hub.tree
        guard let frequency else {
            hub.publish(tree.slot(TunerParameter.note), .text(""))
            hub.publish(tree.slot(TunerParameter.cents), .number(0))
            hub.publish(tree.slot(TunerParameter.frequency), .number(0))
            return
        }
        let note = NoteName(
            frequency: frequency, reference: hub.value(tree.slot(TunerParameter.reference)).numbers[0])
        hub.publish(tree.slot(TunerParameter.note), .text(note.name))
        hub.publish(tree.slot(TunerParameter.cents), .number((note.cents * 10).rounded() / 10))
        hub.publish(tree.slot(TunerParameter.frequency), .number((frequency * 100).rounded() / 100))
    }
}
