package import Budgets
import Effects
import Foundation

/// Table of the cost of each effect, beside the fastest comparable program measured on a machine of this class.
package struct EffectsTable {
    private struct Row {
        let name: String
        /// Seconds of sound per second of processor time.
        let speed: Double
        /// Speed of the fastest comparable program; nil where none was measured.
        let peer: Double?
    }

    package init() {}

    package func show() {
        print("Seconds of stereo sound at 48 kHz per second of one processor core, in blocks of 1024:")
        print("  effect                           speed      peer   ratio")
        for row in rows() {
            let peer = row.peer.map { String(format: "%9.0f %7.2f", $0, row.speed / $0) } ?? ""
            print(String(format: "  %@ %9.0f ", row.name.padding(toLength: 28, withPad: " ", startingAt: 0), row.speed) + peer)
        }
        let milliseconds = ["delay", "tremolo", "flanger"].map { name in
            1000 * (EffectRegistry.standard.kind(named: name).map { EffectsBenchmark().secondsPerBlock($0, $0.benchmarks[0]) } ?? 0)
        }
        print("\nMilliseconds for a stereo block of 1024 frames (21.3 ms of sound; the budget is 0.05 for all three):")
        print(
            String(
                format: "  delay %.4f   tremolo %.4f   flanger %.4f   all three %.4f", milliseconds[0], milliseconds[1],
                milliseconds[2], milliseconds.reduce(0, +)))
    }

    /// The same as times per block, for the whole benchmark.
    package func measure() -> [BenchmarkResult] {
        rows().map { row in
            var result = BenchmarkResult(
                name: "effect: \(row.name), stereo block of 1024", value: microseconds(row.speed), unit: "us")
            result.beside = row.peer.map(microseconds)
            result.besideName = row.peer.map { _ in "the fastest peer measured" }
            return result
        }
    }

    private func microseconds(_ speed: Double) -> Double { 1024 / 48_000 / speed * 1e6 }

    private func rows() -> [Row] {
        EffectRegistry.standard.kinds.flatMap { kind in
            kind.benchmarks.map { Row(name: $0.name, speed: EffectsBenchmark().speed(kind, $0), peer: $0.peer) }
        }
    }
}
