package import Budgets
import CBench
import CRealtime
import Foundation
import Hub
import OSCControl
import Parameters
import Pose
import RenderInterface
import Synchronization

/// Benchmark of OSC from a UDP socket to a parameter: the pose thread, the queue, the hub and the store, as in the server.
package struct OSCBenchmark {
    var messages = 200_000
    /// Number of listeners, which determines the size of the namespace.
    var listeners = 4
    /// Number of sound objects.
    var objects = 0
    /// Packets sent repeatedly.
    var packets = (0..<16).map { OSCPacket.bytes("/listener/1/gain", [.float(-2 - Float($0))]) }

    private struct Found {
        let addresses: Int
        let seconds: Double
        /// Processor time of the control thread, and of the control and pose threads together, nanoseconds per message.
        let control: Double
        let whole: Double
        let lost: Int
    }

    /// Measures namespaces of about 50, 1,000 and 5,000 addresses: a message should cost the same in each.
    package static func namespaces() throws -> [BenchmarkResult] {
        var smallest: Double?
        return try [1, 64, 320].map { listeners in
            // The minimum of five, since other load only makes a run slower.
            let found = try (0..<5).map { _ in try OSCBenchmark(listeners: listeners).run() }.min { $0.whole < $1.whole }!
            let beside = smallest
            smallest = smallest ?? found.whole
            return BenchmarkResult(
                name: "OSC, socket to parameter among \(found.addresses) addresses, \(found.lost) lost", value: found.whole,
                unit: "ns of processor time", beside: beside, besideName: beside == nil ? nil : "the smallest")
        }
    }

    /// Measures ADM-OSC messages against native ones for the same parameter, and positions in one message, which set three
    /// parameters.
    package static func translations() throws -> [BenchmarkResult] {
        func packets(_ address: String, _ count: Int) -> [[UInt8]] {
            (0..<16).map { number in OSCPacket.bytes(address, (0..<count).map { .float(Float(number + $0) / 32) }) }
        }
        var plain: Double?
        return try [("/object/1/gain", 1), ("/adm/obj/1/gain", 1), ("/adm/obj/1/aed", 3), ("/adm/obj/1/xyz", 3)].map { address, count in
            let found = try (0..<5).map { _ in
                try OSCBenchmark(objects: 64, packets: packets(address, count)).run()
            }.min { $0.whole < $1.whole }!
            let beside = plain
            plain = plain ?? found.whole
            return BenchmarkResult(
                name: "OSC, socket to parameter, \(address), \(found.lost) lost", value: found.whole, unit: "ns of processor time",
                beside: beside, besideName: beside == nil ? nil : "the native gain")
        }
    }

    package init() {}

    private init(listeners: Int) { self.listeners = listeners }

    private init(objects: Int, packets: [[UInt8]]) { (self.objects, self.packets) = (objects, packets) }

    package func measure() throws -> [BenchmarkResult] {
        let found = try run()
        return [
            .init(name: "OSC, socket to parameter", value: Double(messages) / found.seconds, unit: "messages/s"),
            .init(name: "OSC, control thread's share", value: found.control, unit: "ns/message"),
            .init(name: "OSC, messages lost", value: Double(found.lost), unit: "messages", budget: 0),
        ]
    }

    private func run() throws -> Found {
        let tree = ParameterTree(listeners: listeners, methods: ["one"], objects: objects)
        let hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        let queue = DatagramRing(capacity: 1 << 22)
        let receiver = try OSCReceiver(host: "127.0.0.1", port: 0, inlets: [], queue: queue.producer)
        let dispatcher = OSCDispatcher(queue: queue.consumer, hub: hub, counters: receiver.counters)
        let work = DispatchSemaphore(value: 0)
        try receiver.start { work.signal() }
        defer { receiver.stop() }

        let (count, port, counters, listeners) = (messages, receiver.port, receiver.counters, listeners)
        let begin = rt_now()
        let (busy, whole) = (bench_thread_time(), bench_process_time())
        let sender = OSCSending(count: count, port: port, counters: counters, packets: packets, last: listeners)
        sender.start()
        let last = tree.index(ListenerParameter.gain, listeners - 1)
        while hub.value(last) != .number(-1) {
            while dispatcher.drain() {}
            guard rt_now() - begin < 30_000_000_000 else { break }
            if hub.value(last) != .number(-1) { _ = work.wait(timeout: .now() + .milliseconds(100)) }
        }
        let seconds = Double(rt_now() - begin) / 1e9
        let control = Double(bench_thread_time() - busy)
        let all = Double(bench_process_time() - whole) - Double(sender.time)
        return Found(
            addresses: tree.nodes.count, seconds: seconds, control: control / Double(count), whole: all / Double(count),
            lost: counters.dropped + counters.refused)
    }
}

/// A thread that sends the same packets repeatedly, at most 200 ahead of the receiver, and finally a gain of the last
/// listener.
final class OSCSending: Sendable {
    private let count: Int
    private let port: UInt16
    private let counters: OSCCounters
    private let packets: [[UInt8]]
    private let last: Int
    private let spent = Mutex<UInt64>(0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter last: number of the listener whose gain is sent last.
    init(count: Int, port: UInt16, counters: OSCCounters, packets: [[UInt8]], last: Int) {
        self.packets = packets
        self.count = count
        self.port = port
        self.counters = counters
        self.last = last
    }

    func start() {
        Thread { [self] in
            realtime_name_thread("bench OSC")
            send()
            spent.withLock { $0 = bench_thread_time() }
            ended.signal()
        }.start()
    }

    /// Processor time of sending in nanoseconds; waits for the thread to end.
    var time: UInt64 {
        ended.wait()
        return spent.withLock { $0 }
    }

    private func send() {
        let handle = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(handle) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let end = OSCPacket.bytes("/listener/\(last)/gain", [.float(-1)])
        for number in 0..<count {
            while number - counters.datagrams > 200 { usleep(50) }
            let packet = number == count - 1 ? end : packets[number % packets.count]
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(handle, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
}
