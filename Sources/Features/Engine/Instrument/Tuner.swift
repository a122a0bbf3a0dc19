package import Crossing
import DSP
import Foundation
package import Hub
import Parameters

/// Chromatic tuner: finds the note that the live input plays, about fifteen times a second. Used on the control thread only.
package final class Tuner {
    private let hub: Hub
    private var tap: FrameRing.Consumer
    private let gate: Switch.Control
    private var finder: PitchFinder
    private var samples: [Float] = []
    private var chunk = [Float](repeating: 0, count: 1024)
    private let hop: Int
    private var isOn = false

    /// - Parameters:
    ///   - tap: the live input, mono.
    ///   - gate: opened while the tuner is on.
    ///   - rate: frames per second.
    package init(hub: Hub, tap: consuming FrameRing.Consumer, gate: consuming Switch.Control, rate: Int) {
        self.hub = hub
        self.tap = tap
        self.gate = gate
        finder = PitchFinder(rate: Float(rate))
        hop = rate / 15
    }

    package func connect() {
        hub.onSet(hub.tree.index(TunerParameter.run)) { [unowned self] value, _ in
            isOn = value.numbers[0] != 0
            gate.set(isOn)
            samples = []
            if !isOn { show(nil) }
        }
    }

    /// Analyses the input since the last call.
    package func publish() {
        var isNews = false
        while true {
            let count = chunk.withUnsafeMutableBufferPointer { tap.read($0.baseAddress!, frames: $0.count) }
            guard count > 0 else { break }
            guard isOn else { continue }
            samples += chunk[..<count]
            isNews = true
        }
        guard isOn, isNews, samples.count >= finder.window else { return }
        show(finder.find(Array(samples.suffix(finder.window))))
        // Windows overlap; the next one is complete after another hop.
        samples = Array(samples.suffix(max(0, finder.window - hop)))
    }

    /// - Parameter frequency: hertz; nil when no note was found.
    private func show(_ frequency: Float?) {
        let tree = hub.tree
        guard let frequency else {
            hub.publish(tree.index(TunerParameter.note), .text(""))
            hub.publish(tree.index(TunerParameter.cents), .number(0))
            hub.publish(tree.index(TunerParameter.frequency), .number(0))
            return
        }
        let note = NoteName(
            frequency: frequency, reference: hub.value(tree.index(TunerParameter.reference)).numbers[0])
        hub.publish(tree.index(TunerParameter.note), .text(note.name))
        hub.publish(tree.index(TunerParameter.cents), .number((note.cents * 10).rounded() / 10))
        hub.publish(tree.index(TunerParameter.frequency), .number((frequency * 100).rounded() / 100))
    }
}

/// The nearest note of the chromatic scale, and the distance to it.
package struct NoteName: Sendable, Equatable {
    /// Name with octave: `A4`, `C♯3`.
    package let name: String
    /// Distance from the note, -50 to 50.
    package let cents: Float

    private static let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    /// A4 in semitones above C0.
    private static let concertPitch = 57

    /// - Parameters:
    ///   - frequency: hertz, above 0.
    ///   - reference: hertz of A4.
    package init(frequency: Float, reference: Float) {
        let semitones = 12 * log2(Double(frequency) / Double(reference)) + Double(Self.concertPitch)
        let nearest = semitones.rounded()
        let number = Int(clamping: nearest)
        let place = (number % 12 + 12) % 12
        name = Self.names[place] + "\((number - place) / 12)"
        cents = Float(100 * (semitones - nearest))
    }
}
