import CBench
import CRealtime
import Crossing
import Foundation
import Hub
import OSCControl
import Parameters
import Synchronization
import Tracking

/// OSC from a real UDP socket to a parameter: the pose thread, the queue, the hub and the store, as in the server.
struct OSCBenchmark {
    var messages = 200_000

    func measure() throws -> [Measurement] {
        let tree = ParameterTree(listeners: 4, methods: ["one"])
        let hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        let queue = RecordRing(capacity: 1 << 22)
        let receiver = try OSCReceiver(host: "127.0.0.1", port: 0, inlets: [], queue: queue.producer)
        let dispatcher = OSCDispatcher(queue: queue.consumer, hub: hub, counters: receiver.counters)
        let work = DispatchSemaphore(value: 0)
        receiver.start { work.signal() }
        defer { receiver.stop() }

        let (count, port, counters) = (messages, receiver.port, receiver.counters)
        let sender = Thread { Self.send(count, to: port, counters) }
        let begin = rt_now()
        let busy = bench_thread_time()
        sender.start()
        let last = tree.slot(ListenerParameter.gain, 3)
        while hub.value(last) != .number(-1) {
            while dispatcher.drain() {}
            guard rt_now() - begin < 30_000_000_000 else { break }
            if hub.value(last) != .number(-1) { _ = work.wait(timeout: .now() + .milliseconds(100)) }
        }
        let seconds = Double(rt_now() - begin) / 1e9
        let spent = Double(bench_thread_time() - busy) / Double(count)
        return [
            .init(name: "OSC, socket to parameter", value: Double(count) / seconds, unit: "messages/s"),
            .init(name: "OSC, control thread's part of it", value: spent, unit: "ns/message"),
            .init(name: "OSC, messages lost", value: Double(counters.dropped + counters.refused), unit: "messages", budget: 0),
        ]
    }

    /// Sends gains of listener 1, and at the end one of listener 4, never more than 2000 ahead of the receiver.
    private static func send(_ count: Int, to port: UInt16, _ counters: OSCCounters) {
        let handle = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(handle) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let packets = (0..<16).map { OSCPacket.bytes("/listener/1/gain", [.float(-Float($0))]) }
        let end = OSCPacket.bytes("/listener/4/gain", [.float(-1)])
        for number in 0..<count {
            while number - counters.datagrams > 2000 { usleep(50) }
            let packet = number == count - 1 ? end : packets[number & 15]
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(handle, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
}
