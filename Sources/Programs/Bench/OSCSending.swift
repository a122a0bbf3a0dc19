import CBench
import CRealtime
import Foundation
import OSCControl
import Parameters
import Synchronization

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
