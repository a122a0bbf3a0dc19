package import Budgets
import CRealtime
import Foundation
import OSCControl
import Parameters

/// Benchmark with twenty trackers at 1000 Hz each and an open panel: latency from the kernel's receipt of a pose to sound
/// on the timer device, as reported by the running server, and losses at the socket.
package struct LoadBenchmark {
    var trackers = 20
    /// Poses per second of each tracker.
    var rate = 1000
    var seconds = 12.0

    package init() {}

    package func measure() throws -> [BenchmarkResult] {
        let program = try ServedProgram(options: ["--listeners", "\(trackers)"])
        let sockets = (0..<trackers).compactMap { _ in LoopbackSocket(.udp, port: program.oscPort) }
        guard sockets.count == trackers, let panel = LoopbackSocket(.tcp, port: program.httpPort) else { return [] }
        panel.upgrade(path: "/", subprotocol: nil)
        panel.sendText(#"{"COMMAND":"LISTEN","DATA":"/"}"#)
        usleep(500_000)
        let before = program.datagrams
        let (sent, took) = send(to: sockets, beside: panel)
        // The percentiles cover the last five seconds.
        let latency = program.numbers("/latency/motion-to-sound")
        let lost = Double(sent - (program.datagrams - before))
        usleep(600_000)
        let late = Double(sent - (program.datagrams - before))
        guard latency.count == 4 else { return [] }
        let name = "\(trackers) trackers at \(rate) Hz"
        let budgets: [Double?] = [2.5, nil, 4, nil]
        return [
            .init(name: "\(name), poses sent", value: Double(sent) / took, unit: "poses/s"),
            .init(name: "\(name), poses lost at the socket", value: min(lost, late), unit: "poses", budget: 0),
            .init(name: "\(name), lost by the kernel's count", value: Double(program.kernelDrops), unit: "datagrams", budget: 0),
        ]
            + zip(["p50", "p95", "p99", "max"], latency).enumerated().map { index, entry in
                .init(name: "\(name), receipt to output, \(entry.0)", value: entry.1, unit: "ms", budget: budgets[index])
            }
    }

    /// Sends poses, each tracker with its own phase within the millisecond, while the panel reads its updates.
    private func send(to sockets: [LoopbackSocket], beside panel: LoopbackSocket) -> (sent: Int, seconds: Double) {
        let packets = sockets.indices.map { listener in
            (0..<360).map { degree in
                OSCPacket.bytes(ListenerParameter.ypr.address(listener), [.float(Float(degree - 180)), .float(0), .float(0)])
            }
        }
        let begin = rt_now()
        let step = UInt64(1_000_000_000 / (rate * sockets.count))
        let total = Int(clamping: seconds * Double(rate * sockets.count))
        var sent = 0
        while sent < total {
            // Sleeping is not exact: everything due by now is sent.
            while sent < total, begin + UInt64(sent) * step <= rt_now() {
                let (listener, number) = (sent % sockets.count, sent / sockets.count)
                sockets[listener].send(packets[listener][number % 360])
                sent += 1
                if sent % 500 == 0 { while !panel.receive(waiting: false).isEmpty {} }
            }
            realtime_sleep_until(begin + UInt64(sent) * step)
        }
        return (sent, Double(rt_now() - begin) / 1e9)
    }
}
