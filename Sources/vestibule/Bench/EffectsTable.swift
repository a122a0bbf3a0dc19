import Effects
import Foundation
import Parameters

/// What each effect costs, beside what the fastest peer of the same structure was seen to reach on a machine of
/// this class, and the forerunner's table.
struct EffectsTable {
    private struct Row {
        let name: String
        /// Seconds of sound per second of the processor.
        let speed: Double
        /// Of the fastest peer; nil where none was measured.
        let peer: Double?
    }

    func show() {
        print("Seconds of stereo sound at 48 kHz per second of one processor core, in blocks of 1024:")
        print("  effect                           speed      peer   ratio")
        for row in rows() {
            let peer = row.peer.map { String(format: "%9.0f %7.2f", $0, row.speed / $0) } ?? ""
            print(String(format: "  %@ %9.0f ", row.name.padding(toLength: 28, withPad: " ", startingAt: 0), row.speed) + peer)
        }
        let benchmark = EffectsBenchmark()
        let delay = benchmark.secondsPerBlock(Delay.self) * 1000
        let tremolo = benchmark.secondsPerBlock(Tremolo.self) * 1000
        let flanger = benchmark.secondsPerBlock(Flanger.self) * 1000
        print("\nMilliseconds for a stereo block of 1024 frames (21.3 ms of sound; the aim is 0.05 for all):")
        print(
            String(
                format: "  delay %.4f   tremolo %.4f   flanger %.4f   all three %.4f", delay, tremolo, flanger, delay + tremolo + flanger))
    }

    /// The same as times of a block, for the whole benchmark.
    func measure() -> [Measurement] {
        rows().map { row in
            var result = Measurement(
                name: "effect: \(row.name), stereo block of 1024", value: microseconds(row.speed), unit: "us")
            result.beside = row.peer.map(microseconds)
            result.besideName = row.peer.map { _ in "the fastest peer seen" }
            return result
        }
    }

    private func microseconds(_ speed: Double) -> Double { 1024 / 48_000 / speed * 1e6 }

    private func rows() -> [Row] {
        let benchmark = EffectsBenchmark()
        var rows: [Row] = []
        func add<Kind: Effect & ~Copyable>(
            _ name: String, _ kind: Kind.Type, peer: Double? = nil, _ change: (inout Kind.Settings) -> Void = { _ in }
        ) { rows.append(Row(name: name, speed: benchmark.speed(kind, change), peer: peer)) }
        add("delay", Delay.self, peer: 22_500)
        add("delay, six echoes", Delay.self) { $0.repeats = 6 }
        add("tremolo", Tremolo.self, peer: 12_250)
        add("flanger", Flanger.self, peer: 3800)
        add("chorus, 3 voices", Chorus.self, peer: 1800)
        add("vibrato", Vibrato.self)
        add("phaser, 6 stages", Phaser.self)
        add("equaliser, 3 bands", Equaliser.self, peer: 4200) {
            $0.band2.gain = 3
            $0.band4.gain = -4
            $0.band7.gain = 5
        }
        add("equaliser, 8 bands", Equaliser.self) {
            $0.band1 = .init(.highPass, frequency: 40)
            $0.band2.gain = 3
            $0.band3.gain = -2
            $0.band4.gain = -4
            $0.band5.gain = 2
            $0.band6.gain = 3
            $0.band7.gain = 5
            $0.band8 = .init(.lowPass, frequency: 16_000)
        }
        rows.append(Row(name: "equaliser, a peak that moves", speed: moving(benchmark), peer: nil))
        add("compressor", Compressor.self, peer: 3070)
        add("gate", Gate.self)
        add("limiter, true peak", Limiter.self)
        add("overdrive, 4 times the rate", Overdrive.self)
        add("reverb, 16 lines", Reverb.self, peer: 1000)
        add("reverb, bass apart", Reverb.self, peer: 1000) { $0.bass = 1.3 }
        add("pitch shift, up a fourth", PitchShift.self, peer: 1500) { $0.semitones = 5 }
        add("pitch shift, down a fourth", PitchShift.self, peer: 1500) { $0.semitones = -5 }
        rows.append(Row(name: "convolution, 2 s", speed: convolution(benchmark), peer: nil))
        return rows
    }

    /// As ``Equaliser`` is while somebody drags a band: another frequency in each block.
    private func moving(_ benchmark: EffectsBenchmark) -> Double {
        var effect = Equaliser(rate: benchmark.rate, largestBlock: benchmark.block)
        let seconds = benchmark.secondsPerBlock(&effect, runs: 60) { number in
            var settings = Equaliser.Settings()
            settings.band4 = .init(.peak, frequency: 500 + 40 * Float(number), gain: 6, q: 1)
            return settings
        }
        return Double(benchmark.block) / Double(benchmark.rate) / seconds
    }

    private func convolution(_ benchmark: EffectsBenchmark) -> Double {
        let response = (0..<96_000).map { Float(sin(Double($0 * $0 % 7919))) * expf(-Float($0) / 14_000) * 0.02 }
        var effect = Convolution(rate: benchmark.rate, largestBlock: benchmark.block, left: response, right: response)
        let seconds = benchmark.secondsPerBlock(&effect, Convolution.Settings(), runs: 12)
        return Double(benchmark.block) / Double(benchmark.rate) / seconds
    }
}
