package import Budgets
import CRealtime
import DSP
import Foundation
import OSCControl
import Parameters

/// Benchmark of the motion-to-sound latency on the timer device, as reported by the running server: poses are sent over
/// the network at random phases of the block.
package struct LatencyBenchmark {
    var seconds = 6.0

    package init() {}

    package func measure() throws -> [BenchmarkResult] {
        let program = try ServedProgram()
        guard let tracker = LoopbackSocket(.udp, port: program.oscPort) else { return [] }
        usleep(500_000)
        let begin = rt_now()
        var sent = 0
        var random = SeededRandom(seed: 7)
        while Double(rt_now() - begin) / 1e9 < seconds {
            let yaw = Float(sent % 720) / 2 - 180
            tracker.send(OSCPacket.bytes("/listener/1/ypr", [.float(yaw), .float(0), .float(0)]))
            sent += 1
            usleep(UInt32.random(in: 1000...9000, using: &random))
        }
        usleep(600_000)
        let latency = program.numbers("/latency/motion-to-sound")
        guard latency.count == 4 else { return [] }
        let budgets: [Double?] = [nil, nil, 4, nil]
        return [Self.start(program)]
            + zip(["p50", "p95", "p99", "max"], latency).enumerated().map { index, entry in
                .init(
                    name: "motion to sound, timer, period 64, \(entry.0)", value: entry.1, unit: "ms",
                    budget: budgets[index])
            }
    }

    /// Measures the time from the start of `vestibule serve` to its first block of sound.
    package static func start() throws -> BenchmarkResult { start(try ServedProgram()) }

    private static func start(_ program: ServedProgram) -> BenchmarkResult {
        .init(name: "start to first block", value: program.secondsToSound * 1000, unit: "ms to start")
    }
}
