import CDatagram
import CRealtime
import Crossing
import Foundation
import Hub
import OSCControl
import Parameters
import Pose
import RenderInterface
import Synchronization
import TestSupport
import Testing

/// A UDP socket that sends to a port on this host.
struct Sender {
    let socketDescriptor: Int32
    let port: UInt16

    init(to port: UInt16) {
        self.port = port
        socketDescriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    }

    func send(_ bytes: [UInt8]) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socketDescriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns the next datagram received; nil after `seconds` without one.
    func receive(seconds: Double = 60) -> [Message]? {
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
        setsockopt(socketDescriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var memory = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socketDescriptor, &memory, memory.count, 0)
        guard count >= 0 else { return nil }
        return memory[..<count].withUnsafeBytes { (try? OSCPacket.parse($0, receiveTime: 0))?.map(\.message) }
    }

    func close() { _ = Glibc.close(socketDescriptor) }
}

/// A receiver on a free port with a hub behind it. The test's thread acts as the control thread.
final class Rig {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear"])
    let hub: Hub
    let receiver: OSCReceiver
    let dispatcher: OSCDispatcher
    let sender: Sender
    let woken = Arrivals()
    private var poses: Latest<HeadPose>.Reader
    private var secondPoses: Latest<HeadPose>.Reader

    init(admission: OSCAdmission = .init()) throws {
        let first = Latest<HeadPose>(.ahead)
        let second = Latest<HeadPose>(.ahead)
        let ring = DatagramRing(capacity: 1 << 16)
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        receiver = try OSCReceiver(
            host: "127.0.0.1", port: 0, inlets: [PoseInlet(first.writer), PoseInlet(second.writer)],
            queue: ring.producer, admission: admission)
        dispatcher = OSCDispatcher(
            queue: ring.consumer, hub: hub, counters: receiver.counters, admission: admission, clocks: receiver.clocks,
            filter: receiver.filter, number: { 7 },
            send: { [receiver] in receiver.send($0, to: $1) })
        poses = first.reader
        secondPoses = second.reader
        sender = Sender(to: receiver.port)
        let woken = woken
        try receiver.start { woken.signal() }
    }

    deinit {
        receiver.stop()
        sender.close()
    }

    func pose(_ listener: Int = 0) -> HeadPose { listener == 0 ? poses.read() : secondPoses.read() }

    /// Processes arriving messages until `done` returns true.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ done: () -> Bool) -> Bool {
        waitUntil("the messages have their effect", sourceLocation: sourceLocation) {
            while dispatcher.drain() {}
            return done()
        }
    }
}

/// The time of a packet by both clocks: that of timetags, which everybody has, and the monotonic one of this machine.
struct SentTime {
    private var before: UInt64 = 0
    private var after: UInt64 = 0

    /// NTP time a number of seconds from now, by a clock that is `shift` seconds ahead.
    mutating func seconds(_ ahead: Double, shift: Double = 0) -> Double {
        before = rt_now()
        let real = Double(datagram_realtime()) / 1e9
        after = rt_now()
        return real + 2_208_988_800 + ahead + shift
    }

    mutating func timetag(_ ahead: Double, shift: Double = 0) -> UInt64 {
        let time = seconds(ahead, shift: shift)
        return UInt64(time) << 32 | UInt64((time - time.rounded(.down)) * 4_294_967_296)
    }

    /// Whether a time, CLOCK_MONOTONIC nanoseconds, is that of the latest packet.
    /// - Parameter tolerance: seconds by which the clocks may be known wrongly.
    func isNear(_ time: UInt64, _ ahead: Double, tolerance: Double = 0.001) -> Bool {
        let shift = ahead * 1e9
        return Double(time) >= Double(before) + shift - tolerance * 1e9 && Double(time) <= Double(after) + shift + tolerance * 1e9
    }
}

/// Counts calls from another thread.
final class Arrivals: Sendable {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .acquiring) }
    func signal() { calls.add(1, ordering: .acquiringAndReleasing) }
}

extension Array where Element == UInt8 {
    func raw<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(body)
    }
}
