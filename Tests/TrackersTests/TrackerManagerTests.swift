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
import Trackers

/// A tracker manager with a real receiver. The test's thread acts as the control thread.
final class ManagerRig {
    let tree = ParameterTree(listeners: 2, trackers: 3, methods: ["one"])
    let hub: Hub
    let receiver: OSCReceiver
    let manager: TrackerManager
    let recognised = Mutex<[String]>([])
    /// Time of the control thread, CLOCK_MONOTONIC nanoseconds. It stands still, so that no pose becomes old by itself.
    private var clock = rt_now()
    private var first: Latest<HeadPose>.Reader
    private var other: Latest<HeadPose>.Reader

    init(linker: @escaping TrackerManager.Linker = { try TrackerLinks.make($0, $1) { _ in } }) throws {
        let one = Latest<HeadPose>(.ahead)
        let two = Latest<HeadPose>(.ahead)
        let ring = DatagramRing(capacity: 1 << 16)
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        nonisolated(unsafe) var rig: ManagerRig?
        receiver = try OSCReceiver(
            host: "127.0.0.1", port: 0, inlets: [PoseInlet(one.writer), PoseInlet(two.writer)], queue: ring.producer,
            recognised: { name in rig?.recognised.withLock { $0.append(name) } })
        manager = TrackerManager(hub: hub, receiver: receiver, linker: linker)
        first = one.reader
        other = two.reader
        rig = self
        try receiver.start {}
    }

    deinit {
        manager.stop()
        receiver.stop()
    }

    func pose(_ listener: Int) -> HeadPose { listener == 1 ? first.read() : other.read() }

    func angles(_ listener: Int) -> [Float] {
        let (yaw, pitch, roll) = Orientation.angles(pose(listener).quaternion)
        return [yaw, pitch, roll]
    }

    func value(_ parameter: TrackerParameter, _ number: Int = 0) -> ParameterValue { hub.value(tree.index(parameter, number)) }

    @discardableResult
    func set(_ parameter: TrackerParameter, _ number: Int = 0, _ arguments: [Argument] = []) -> Reply {
        hub.handle(Message(address: parameter.address(number), arguments: arguments, receiveTime: rt_now()))
    }

    /// Lets time pass for the control thread, since the newest pose as well.
    func pass(seconds: Double) {
        manager.tick(now: clock)
        clock = max(clock, rt_now()) + UInt64(seconds * 1e9)
        manager.tick(now: clock)
    }

    /// Ticks like the control thread until `done` returns true.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ done: () -> Bool) -> Bool {
        waitUntil("the tracker has done it", every: 5, sourceLocation: sourceLocation) {
            manager.tick(now: clock)
            return done()
        }
    }

    /// The UDP port of a tracker.
    func port(_ number: Int = 0) throws -> UInt16 {
        manager.tick(now: clock)
        return try #require(manager.port(number))
    }
}

/// Sends OSC to a port on this host.
struct OSCClient {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let port: UInt16

    init(_ port: UInt16) { self.port = port }

    func send(_ address: String, _ values: [Float]) {
        let bytes = OSCPacket.bytes(address, values.map { .float($0) })
        var to = sockaddr_in()
        to.sin_family = sa_family_t(AF_INET)
        to.sin_port = port.bigEndian
        to.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &to) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

@Suite struct TrackerManagerTests {
    func isNear(_ values: [Float], _ expected: [Float]) -> Bool { zip(values, expected).allSatisfy { abs($0 - $1) < 0.05 } }

    @Test func trackerAttachesMovesToAnotherListenerAndDetaches() throws {
        let rig = try ManagerRig()
        #expect(rig.set(.source, 0, [.string("mach1:0")]) == .done)
        let client = OSCClient(try rig.port())
        #expect(rig.value(.state) == .number(1))
        client.send("/orientation", [-30, 20, 10])
        #expect(rig.until { self.isNear(rig.angles(1), [30, 20, 10]) && rig.value(.state) == .number(2) })
        #expect(rig.value(.inCharge) == .number(1))
        #expect(isNear(rig.value(.pose).numbers, [30, 20, 10]))
        rig.set(.listener, 0, [.int(2)])
        client.send("/orientation", [-50, 0, 0])
        #expect(rig.until { self.isNear(rig.angles(2), [50, 0, 0]) })
        #expect(isNear(rig.angles(1), [30, 20, 10]))
        guard case .refused(let text) = rig.set(.listener, 0, [.int(3)]) else {
            Issue.record("listener 3 does not exist")
            return
        }
        #expect(text.contains("listeners 1 to 2"))
        rig.set(.source, 0, [.string("")])
        #expect(rig.until { rig.value(.state) == .number(0) })
        // Its port is free again.
        #expect(rig.set(.source, 1, [.string("mach1:\(client.port)")]) == .done)
    }

    @Test func aDetachedPortIsFreeAtOnce() throws {
        let rig = try ManagerRig()
        #expect(rig.set(.source, 0, [.string("mach1:0")]) == .done)
        let port = try rig.port()
        for i in 0..<1000 {
            // Once as another profile of the same tracker, once as another tracker.
            #expect(rig.set(.source, i % 2, [.string("adm-osc:\(port)")]) == .done)
            #expect(rig.set(.source, i % 2, [.string("mach1:\(port)")]) == .done)
            rig.set(.source, i % 2, [.string("")])
            #expect(rig.set(.source, 1 - i % 2, [.string("mach1:\(port)")]) == .done)
        }
        // One that another tracker uses stays refused.
        guard case .refused(let text) = rig.set(.source, 2, [.string("mach1:\(port)")]) else {
            Issue.record("two trackers share port \(port)")
            return
        }
        #expect(text.contains("is in use"))
    }

    @Test func settingsApplyImmediately() throws {
        let rig = try ManagerRig()
        rig.set(.source, 0, [.string("adm-osc:0")])
        let client = OSCClient(try rig.port())
        func reaches(_ expected: [Float]) -> Bool {
            client.send("/adm/lis/ypr", [30, 20, 10])
            return rig.until { self.isNear(rig.angles(1), expected) }
        }
        #expect(reaches([30, 20, 10]))
        rig.set(.invertYaw, 0, [.bool(true)])
        #expect(reaches([-30, 20, 10]))
        rig.set(.axes, 0, [.string("pitch yaw roll")])
        #expect(reaches([-20, 30, 10]))
        rig.set(.recenter)
        #expect(rig.value(.centre).numbers.map { $0.rounded() } == [-20])
        // Once more before the next pose: the newest one was taken with the former centre.
        rig.set(.recenter)
        #expect(rig.value(.centre).numbers.map { $0.rounded() } == [-20])
        #expect(reaches([0, 30, 10]))
        rig.set(.mount, 0, [.float(0), .float(0), .float(0), .float(3)])
        #expect(rig.value(.mount) == .vector([0, 0, 0, 1]))
    }

    @Test func trackerRecognisedOnTheOSCPortGetsANumber() throws {
        let rig = try ManagerRig()
        let client = OSCClient(rig.receiver.port)
        client.send("/SceneRotator/ypr", [30, 0, 0])
        #expect(rig.until { rig.recognised.withLock { !$0.isEmpty } })
        for name in rig.recognised.withLock({ $0 }) { rig.manager.recognised(name) }
        // It is told of a moment before its first pose is there.
        #expect(rig.until { rig.value(.source) == .text("iem:osc") && self.isNear(rig.angles(1), [-30, 0, 0]) })
        // Now the settings apply to it.
        rig.set(.invertYaw, 0, [.bool(true)])
        client.send("/SceneRotator/ypr", [40, 0, 0])
        #expect(rig.until { self.isNear(rig.angles(1), [40, 0, 0]) && rig.value(.inCharge) == .number(1) })
    }

    @Test func browserPageSetsTheOrientation() throws {
        let rig = try ManagerRig()
        let q = Orientation.quaternion(yaw: 70, pitch: 0, roll: 0)
        let arguments: [Argument] = (0..<4).map { .float(q[$0]) }
        guard case .refused(let text) = rig.set(.orientation, 0, arguments) else {
            Issue.record("nothing is attached")
            return
        }
        #expect(text.contains("web"))
        rig.set(.source, 0, [.string("web")])
        #expect(rig.set(.orientation, 0, arguments) == .done)
        #expect(rig.until { self.isNear(rig.angles(1), [70, 0, 0]) })
    }

    @Test func invalidSourcesKeepThePreviousSource() throws {
        let rig = try ManagerRig()
        rig.set(.source, 0, [.string("iem:0")])
        let port = try rig.port()
        for (wrong, words) in [
            ("spatra:0", "did you mean sparta?"), ("unity", "specify one"), ("iem:70000", "is not a port"),
            ("opentrack:osc", "does not send OSC"), ("/no/such.json:1", "cannot be read"),
        ] {
            guard case .refused(let text) = rig.set(.source, 0, [.string(wrong)]) else {
                Issue.record("\(wrong) was taken")
                continue
            }
            #expect(text.contains(words), "\(text)")
        }
        #expect(try rig.port() == port)
        // A port that is in use.
        let other = try ManagerRig()
        other.set(.source, 0, [.string("iem:0")])
        let taken = try other.port()
        guard case .refused(let text) = rig.set(.source, 0, [.string("iem:\(taken)")]) else {
            Issue.record("the port is taken")
            return
        }
        #expect(text.contains("is in use"))
        OSCClient(port).send("/SceneRotator/ypr", [-30, 0, 0])
        #expect(rig.until { self.isNear(rig.angles(1), [30, 0, 0]) })
    }

    @Test func silentTrackerHoldsThenReturnsToFront() throws {
        let rig = try ManagerRig()
        rig.set(.source, 0, [.string("adm-osc:0")])
        rig.set(.timeout, 0, [.float(600)])
        rig.set(.returnTime, 0, [.float(0.1)])
        let client = OSCClient(try rig.port())
        // A pause of a fifth of a second, in which the machine stalls, ends a stream.
        var begun: UInt64
        repeat {
            begun = rt_now()
            for i in 0..<30 { client.send("/adm/lis/ypr", [90 + Float(i % 2), 0, 0]) }
            client.send("/adm/lis/ypr", [92, 0, 0])
        } while rt_now() - begun > 100_000_000
        #expect(rig.until { rig.value(.state) == .number(2) && self.isNear(rig.angles(1), [92, 0, 0]) })
        rig.pass(seconds: 1)
        #expect(rig.value(.state) == .number(3) && isNear(rig.angles(1), [92, 0, 0]))
        rig.set(.timeout, 0, [.float(0.1)])
        #expect(rig.until { rig.value(.state) == .number(4) && self.isNear(rig.angles(1), [0, 0, 0]) })
        client.send("/adm/lis/ypr", [45, 0, 0])
        #expect(rig.until { self.isNear(rig.angles(1), [45, 0, 0]) })
    }

    @Test func trackerAtRestYieldsToManualControl() throws {
        let rig = try ManagerRig()
        rig.set(.source, 0, [.string("adm-osc:0")])
        let client = OSCClient(try rig.port())
        // After a second of silence, in which the machine stalls, any pose counts as deliberate.
        var (yaw, id, begun) = (Float(0), UInt64(0), UInt64(0))
        repeat {
            yaw += 10
            begun = rt_now()
            client.send("/adm/lis/ypr", [yaw, 0, 0])
            #expect(rig.until { self.isNear(rig.angles(1), [yaw, 0, 0]) && rig.value(.inCharge) == .number(1) })
            id = rig.pose(1).id
            rig.manager.noteManual(listener: 1, Orientation.quaternion(yaw: -80, pitch: 0, roll: 0))
            for _ in 0..<5 { client.send("/adm/lis/ypr", [yaw + 0.5, 0, 0]) }
        } while rt_now() - begun > 900_000_000
        #expect(rig.until { rig.value(.inCharge) == .number(0) })
        #expect(rig.pose(1).id == id)
        client.send("/adm/lis/ypr", [yaw + 30, 0, 0])
        #expect(rig.until { self.isNear(rig.angles(1), [yaw + 30, 0, 0]) })
    }

    @Test func threeGesturesCalibrate() throws {
        let rig = try ManagerRig()
        rig.set(.source, 0, [.string("adm-osc:0")])
        let client = OSCClient(try rig.port())
        guard case .refused(let silent) = rig.set(.calibrate) else {
            Issue.record("nothing has been sent")
            return
        }
        #expect(silent.contains("switched on"))
        // This sender's first number is pitch, with inverted sign.
        func look(_ yaw: Float, _ pitch: Float) { client.send("/adm/lis/ypr", [-pitch, yaw, 0]) }
        func isSeen(_ yaw: Float, _ pitch: Float) -> Bool { rig.until { self.isNear(rig.value(.pose).numbers, [-pitch, yaw, 0]) } }
        func text() -> String { rig.value(.guide).text ?? "" }
        look(0, 0)
        #expect(rig.until { rig.value(.state) == .number(2) })
        rig.set(.calibrate)
        #expect(text().contains("straight ahead"))
        rig.pass(seconds: 1)
        #expect(text().contains("left"))
        look(50, 0)
        #expect(isSeen(50, 0))
        rig.pass(seconds: 1)
        #expect(text().contains("then up"))
        look(0, 30)
        #expect(isSeen(0, 30))
        rig.pass(seconds: 1)
        #expect(text().contains("Calibrated"), "\(text())")
        #expect(rig.value(.axes) == .number(2) && rig.value(.invertPitch) == .number(1))
        look(-25, 12)
        #expect(rig.until { self.isNear(rig.angles(1), [-25, 12, 0]) }, "\(rig.angles(1))")
        rig.set(.calibrate)
        rig.set(.cancel)
        #expect(text().isEmpty)
    }
}
