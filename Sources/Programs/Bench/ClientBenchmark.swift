package import Budgets
import Foundation

/// Benchmark of listening WebSocket clients: how many the control thread serves, and at which load.
package struct ClientBenchmark {
    var title = "OSCQuery"
    var clients = 200
    var seconds = 3.0
    var subprotocol: String?
    /// Request of each client, at most 125 bytes.
    var request = #"{"COMMAND":"LISTEN","DATA":"/"}"#
    /// Frames per second that each client expects.
    var rate = 30

    /// A thousand displays with levels at 60 Hz.
    package static let telemetry = ClientBenchmark(
        title: "telemetry", clients: 1000, subprotocol: "vestibule.telemetry.v1",
        request: #"{"type":"subscribe","topics":["meters"],"rate":60,"format":"binary"}"#, rate: 60)

    package init() {}

    private init(title: String, clients: Int, subprotocol: String, request: String, rate: Int) {
        (self.title, self.clients, self.subprotocol, self.request, self.rate) = (title, clients, subprotocol, request, rate)
    }

    package func measure() throws -> [BenchmarkResult] {
        let program = try ServedProgram()
        var sockets: [LoopbackSocket] = []
        for _ in 0..<clients {
            guard let socket = LoopbackSocket(.tcp, port: program.httpPort) else { break }
            socket.upgrade(path: "/", subprotocol: subprotocol)
            socket.sendText(request)
            sockets.append(socket)
        }
        var counters = [FrameCounter](repeating: FrameCounter(), count: sockets.count)
        drain(sockets, &counters, seconds: 1)  // The first state, and other messages of a new connection.
        let before = counters.map(\.frames)
        let busy = program.controlSeconds
        drain(sockets, &counters, seconds: seconds)
        let share = (program.controlSeconds - busy) / seconds
        let rates = zip(counters, before).map { Double($0.frames - $1) / seconds }
        return [
            .init(name: "\(title), \(sockets.count) WebSocket clients, slowest one", value: rates.min() ?? 0, unit: "Hz"),
            .init(name: "\(title), control thread's load for them", value: share * 100, unit: "% of a core"),
            .init(
                name: "\(title), clients per core at \(rate) Hz", value: Double(sockets.count) / max(share, 1e-3),
                unit: "clients"),
        ]
    }

    private func drain(_ sockets: [LoopbackSocket], _ counters: inout [FrameCounter], seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            for (index, socket) in sockets.enumerated() {
                let bytes = socket.receive(waiting: false)
                if !bytes.isEmpty { counters[index].read(bytes) }
            }
            usleep(2000)
        }
    }

    /// Counts the frames in a WebSocket's bytes, across read boundaries.
    private struct FrameCounter {
        var frames = 0
        private var header: [UInt8] = []
        private var left = 0

        mutating func read(_ bytes: [UInt8]) {
            var at = 0
            while at < bytes.count {
                if left > 0 {
                    let taken = min(left, bytes.count - at)
                    left -= taken
                    at += taken
                    continue
                }
                header.append(bytes[at])
                at += 1
                guard let length = payload else { continue }
                left = length
                header = []
                frames += 1
            }
        }

        /// Length of the frame once its header is complete; a server's frames have no mask.
        private var payload: Int? {
            guard header.count >= 2 else { return nil }
            let short = Int(header[1] & 0x7F)
            let extra = short == 126 ? 2 : short == 127 ? 8 : 0
            guard header.count == 2 + extra else { return nil }
            return extra == 0 ? short : header[2...].reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
