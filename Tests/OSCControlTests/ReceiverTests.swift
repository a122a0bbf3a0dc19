import CDatagram
import CRealtime
import Foundation
import Hub
import OSCControl
import Parameters
import Pose
import RenderInterface
import Synchronization
import TestSupport
import Testing

@Suite struct ReceiverTests {
    /// NTP time a number of seconds from now.
    func timetag(in seconds: Double) -> UInt64 {
        let real = Double(datagram_realtime()) / 1e9 + 2_208_988_800 + seconds
        return UInt64(real) << 32 | UInt64((real - real.rounded(.down)) * 4_294_967_296)
    }

    @Test func posesReachTheirListenerWithTheKernelReceiveTime() throws {
        let rig = try Rig()
        let before = rt_now()
        rig.sender.send(OSCPacket.bytes("/listener/2/ypr", [.float(30), .float(-10), .float(5)]))
        #expect(rig.until { rig.pose(1).id != 0 })
        let after = rt_now()
        let pose = rig.pose(1)
        #expect(pose.receiveTime > before && pose.receiveTime < after)
        let angles = Orientation.angles(pose.quaternion)
        #expect(abs(angles.yaw - 30) < 1e-3 && abs(angles.pitch + 10) < 1e-3 && abs(angles.roll - 5) < 1e-3)
        #expect(rig.pose(0).id == 0)
        // Counted a moment after it is there.
        #expect(rig.until { rig.receiver.counters.poses == 1 })
        #expect(rig.woken.count == 0)
    }

    @Test func integersDoublesAndBundlesGiveTheSamePose() throws {
        let rig = try Rig()
        var quaternions: [SIMD4<Float>] = []
        for bytes in [
            OSCPacket.bytes("/listener/1/ypr", [.float(90), .float(0), .float(0)]),
            OSCPacket.bytes("/listener/1/ypr", [.int(90), .int(0), .float(0)]),
            OSCPacket.bytes("/listener/1/ypr", [.double(90), .int(0), .double(0)]),
            OSCPacket.bundle([OSCPacket.bytes("/listener/1/ypr", [.float(90), .float(0), .float(0)])]),
            OSCPacket.bytes("/listener/1/quaternion", [.float(0.5), .int(0), .int(0), .double(0.5)]),
        ] {
            let last = rig.pose().id
            rig.sender.send(bytes)
            #expect(rig.until { rig.pose().id != last })
            quaternions.append(rig.pose().quaternion)
        }
        for quaternion in quaternions {
            let difference = quaternion - quaternions[0]
            #expect((difference * difference).sum() < 1e-12)
        }
        let last = rig.pose().id
        rig.sender.send(OSCPacket.bytes("/listener/1/quaternion", [.float(0), .float(1), .float(0), .float(0)]))
        #expect(rig.until { rig.pose().id != last })
        #expect(rig.pose().quaternion == SIMD4(0, 1, 0, 0))
        #expect(rig.until { rig.receiver.counters.poses == 6 })
    }

    @Test func invalidPosesAreRefusedByTheHubWithAReason() throws {
        let rig = try Rig()
        var notices: [String] = []
        rig.hub.onLog = { text, _ in notices.append(text) }
        for arguments in [[.float(.nan), .float(0), .float(0)], [.float(1), .float(2)], [.string("a"), .int(0), .int(0)]]
            as [[Argument]]
        {
            rig.sender.send(OSCPacket.bytes("/listener/1/ypr", arguments))
        }
        rig.sender.send(OSCPacket.bytes("/listener/3/ypr", [.float(0), .float(0), .float(0)]))
        rig.sender.send(Array("/listener/1/ypr\0,fff".utf8))
        #expect(rig.until { notices.count == 5 })
        #expect(
            notices == [
                "/listener/1/ypr takes finite numbers; NaN or infinity was sent and ignored",
                "/listener/1/ypr takes 3 values, not 2",
                "/listener/1/ypr takes numbers; the text \"a\" was sent",
                "no parameter at /listener/3/ypr; there is no listener 3, but listeners 1 to 2",
                "OSC port: not OSC: type tags missing, unterminated or without a leading comma, at byte 16",
            ])
        #expect(rig.hub.value(rig.tree.index(EngineParameter.unknown)) == .number(1))
        #expect(rig.hub.value(rig.tree.index(EngineParameter.malformed)) == .number(1))
        #expect(rig.pose().id == 0)
    }

    @Test func messagesReachTheHubInOrderAndPatternsSetEveryListener() throws {
        let rig = try Rig()
        var seen: [(Float, UInt64)] = []
        rig.hub.onSet(rig.tree.index(ListenerParameter.gain, 1)) { value, message in
            seen.append((value.numbers[0], message.receiveTime))
        }
        let before = rt_now()
        for i in 0..<50 { rig.sender.send(OSCPacket.bytes("listener/*/gain", [.int(Int32(-i))])) }
        #expect(rig.until { seen.count == 50 })
        let after = rt_now()
        #expect(seen.map(\.0) == (0..<50).map { -Float($0) })
        #expect(seen.allSatisfy { $0.1 > before && $0.1 < after })
        #expect(rig.hub.value(rig.tree.index(ListenerParameter.gain, 0)) == .number(-49))
        #expect(rig.woken.count >= 1)
    }

    @Test func futureBundlesWaitForTheirTime() throws {
        let rig = try Rig()
        var seen: [(Float, time: UInt64)] = []
        rig.hub.onSet(rig.tree.index(ListenerParameter.gain)) { value, _ in seen.append((value.numbers[0], rt_now())) }
        func gain(_ value: Int32) -> [UInt8] { OSCPacket.bytes("/listener/1/gain", [.int(value)]) }
        let pose = OSCPacket.bytes("/listener/1/ypr", [.float(45), .float(0), .float(0)])
        // Bundles that arrive after their time are not held: a machine that stalls for so long gets others, which have more of it.
        var (ahead, start, last, areEarly) = (0.05, UInt64(0), UInt64(0), false)
        while !areEarly, ahead < 30 {
            ahead *= 2
            (start, last, seen) = (rt_now(), rig.pose().id, [])
            rig.sender.send(OSCPacket.bundle([gain(-3), gain(-4), pose], timetag: timetag(in: ahead)))
            rig.sender.send(OSCPacket.bundle([gain(-2)], timetag: timetag(in: ahead / 2)))
            rig.sender.send(OSCPacket.bundle([gain(-1)], timetag: timetag(in: -5)))
            rig.sender.send(gain(0))
            // The last message has come, and so have those before it.
            #expect(rig.until { seen.contains { $0.0 == 0 } })
            areEarly = rt_now() < start + UInt64(ahead / 2 * 1e9)
            #expect(rig.until { seen.count == 5 && rig.pose().id != last })
        }
        #expect(seen.map(\.0) == [-1, 0, -2, -3, -4])
        #expect(seen[2].time >= start + UInt64(ahead / 2 * 1e9))
        #expect(seen[3].time >= start + UInt64(ahead * 1e9))
        #expect(rig.pose().receiveTime >= start + UInt64(ahead * 1e9))
    }

    /// The renderer receives scheduled values ahead of their time, all others at that time. Messages that do more than
    /// set a number are not scheduled at the renderer.
    @Test func scheduledValuesAreAnnouncedAhead() throws {
        // On a machine that stalls for 0.3 s meanwhile, the time has come when the announcement is read.
        let areAhead = try (0..<20).contains { _ in try announces() }
        #expect(areAhead)
    }

    /// Whether values have been announced before their time.
    private func announces() throws -> Bool {
        let rig = try Rig()
        var changes: [TimedChange] = []
        rig.hub.schedule = {
            changes.append($0)
            return true
        }
        rig.hub.onSet(rig.tree.index(ListenerParameter.mute)) { _, _ in }
        rig.hub.onTimed(rig.tree.index(ListenerParameter.ypr)) { value, due in
            changes.append(TimedChange(time: due, listener: 0, quaternion: SIMD4(value.numbers[0], 0, 0, 0)))
        }
        var sent = SentTime()
        rig.sender.send(
            OSCPacket.bundle(
                [
                    OSCPacket.bytes("/listener/1/mute", [.bool(true)]), OSCPacket.bytes("/listener/?/gain", [.int(-6)]),
                    OSCPacket.bytes("/listener/1/gain", [.string("loud")]), OSCPacket.bytes("/nothing", [.int(1)]),
                    OSCPacket.bytes("/listener/1/ypr", [.float(45), .float(0), .float(0)]),
                ], timetag: sent.timetag(0.4)))
        let gain = rig.tree.index(ListenerParameter.gain)
        guard rig.until({ changes.count == 3 || rig.hub.value(gain) == .number(-6) }), changes.count == 3 else { return false }
        #expect(changes.map { Int($0.index) } == [gain, rig.tree.index(ListenerParameter.gain, 1), -1])
        #expect(abs(changes[0].value - 0.501) < 0.001 && changes[2].quaternion[0] == 45)
        #expect(Set(changes.map(\.time)).count == 1 && sent.isNear(changes[0].time, 0.4))
        #expect(rt_now() >= changes[0].time || rig.hub.value(gain) == .number(0))
        #expect(rig.until { rig.hub.value(gain) == .number(-6) })
        #expect(rt_now() >= changes[0].time)
        // Each change is scheduled once; changes that have taken effect are not repeated.
        #expect(changes.count == 3)
        return true
    }

    @Test func numberOfHeldMessagesIsLimited() throws {
        let rig = try Rig()
        var notices: [String] = []
        rig.hub.onLog = { text, _ in notices.append(text) }
        let bundle = OSCPacket.bundle(
            Array(repeating: OSCPacket.bytes("/listener/1/gain", [.int(0)]), count: 1000), timetag: timetag(in: 3000))
        for _ in 0..<5 { rig.sender.send(bundle) }
        #expect(rig.until { rig.receiver.counters.refused == 3976 })
        #expect(rig.until { !notices.isEmpty })
        #expect(notices.first?.contains("from 127.0.0.1 refused because 1024 messages, or 2 MiB, of this sender are waiting") == true)
        rig.sender.send(OSCPacket.bytes("/listener/1/gain", [.int(-6)]))
        #expect(rig.until { rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(-6) })
    }

    /// A clock that is a year ahead is named, and takes no place from anybody.
    @Test func bundlesOfAWrongClockAreRefused() throws {
        let rig = try Rig()
        let other = Sender(to: rig.receiver.port)
        defer { other.close() }
        var notices: [String] = []
        rig.hub.onLog = { text, _ in notices.append(text) }
        let late = OSCPacket.bundle([OSCPacket.bytes("/listener/1/gain", [.int(0)])], timetag: timetag(in: 365 * 86_400))
        rig.sender.send(late)
        #expect(rig.until { !notices.isEmpty })
        #expect(notices.first?.contains("from 127.0.0.1 were refused: they are dated 365 days ahead") == true)
        // As many at a time as the kernel keeps for a thread that stalls.
        for round in 1...50 {
            for _ in 0..<100 { rig.sender.send(late) }
            #expect(rig.until { rig.receiver.counters.datagrams == 1 + 100 * round })
        }
        // The time is that of a button that is pressed and released: the press acts, the release does not.
        var acted = 0
        rig.hub.onSet(rig.tree.index(ListenerParameter.recenter)) { _, _ in acted += 1 }
        let button = [1, 0].map { OSCPacket.bytes("/listener/1/recenter", [.float($0)]) }
        other.send(OSCPacket.bundle(button + [OSCPacket.bytes("/listener/1/gain", [.int(-6)])], timetag: timetag(in: 0.3)))
        #expect(rig.until { rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(-6) })
        #expect(acted == 1)
    }

    @Test func fullQueueDropsAndCounts() throws {
        let ring = DatagramRing(capacity: 256)
        let receiver = try OSCReceiver(host: "127.0.0.1", port: 0, inlets: [], queue: ring.producer)
        try receiver.start {}
        let sender = Sender(to: receiver.port)
        defer { sender.close() }
        for _ in 0..<100 { sender.send(OSCPacket.bytes("/a", [.int(1)])) }
        waitUntil("all datagrams are received") { receiver.counters.datagrams >= 100 }
        receiver.stop()
        #expect(receiver.counters.datagrams == 100)
        // Three frames of 16 bytes each, 16 frames in all.
        #expect(receiver.counters.dropped == 95)
        withExtendedLifetime(ring.consumer) {}
    }

    @Test func portInUseIsReportedWithARemedy() throws {
        let ring = DatagramRing(capacity: 256)
        let first = try OSCReceiver(host: "127.0.0.1", port: 0, inlets: [], queue: ring.producer)
        let port = first.port
        #expect(port != 0)
        do {
            let ring = DatagramRing(capacity: 256)
            _ = try OSCReceiver(host: "127.0.0.1", port: port, inlets: [], queue: ring.producer)
            Issue.record("bound twice")
        } catch {
            #expect(
                "\(error)"
                    == "UDP port \(port) of 127.0.0.1 is in use; choose another with --osc-port, 0 for any free one")
        }
        do {
            let ring = DatagramRing(capacity: 256)
            _ = try OSCReceiver(host: "203.0.113.9", port: 0, inlets: [], queue: ring.producer)
            Issue.record("bound to a foreign address")
        } catch {
            #expect("\(error)" == "this machine has no address 203.0.113.9 to bind; choose another with --bind")
        }
        withExtendedLifetime(first) {}
    }
}
