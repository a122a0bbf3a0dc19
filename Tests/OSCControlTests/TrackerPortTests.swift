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

@Suite struct TrackerPortTests {
    /// A receiver with two trackers on separate ports; the first controls listener 2, the second listener 1.
    final class TrackerRig {
        let receiver: OSCReceiver
        let said: Reports
        private var first: Latest<HeadPose>.Reader
        private var second: Latest<HeadPose>.Reader

        init(_ names: [String]) throws {
            let one = Latest<HeadPose>(.ahead)
            let two = Latest<HeadPose>(.ahead)
            let trackers = try names.enumerated().map {
                TrackerPort(try #require(TrackerProfile.named($0.element)), port: 0, listener: $0.offset == 0 ? 2 : 1)
            }
            let ring = DatagramRing(capacity: 1 << 16)
            let said = Reports()
            self.said = said
            receiver = try OSCReceiver(
                host: "127.0.0.1", port: 0, inlets: [PoseInlet(one.writer), PoseInlet(two.writer)],
                queue: ring.producer, trackers: trackers
            ) { said.add($0) }
            first = one.reader
            second = two.reader
            try receiver.start {}
        }

        deinit { receiver.stop() }

        func pose(_ listener: Int) -> HeadPose { listener == 1 ? first.read() : second.read() }

        /// Waits until a number of poses is counted, which is a moment after they are there.
        func hasCounted(_ poses: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
            waitUntil("\(poses) poses are counted, not \(receiver.counters.poses)", sourceLocation: sourceLocation) {
                receiver.counters.poses == poses
            }
        }

        func send(_ bytes: [UInt8], to port: UInt16) {
            let sender = Sender(to: port)
            sender.send(bytes)
            sender.close()
        }

        /// Waits for a pose after `id`.
        func newPose(_ listener: Int, after id: UInt64 = 0, sourceLocation: SourceLocation = #_sourceLocation) -> HeadPose? {
            var found: HeadPose?
            waitUntil("a pose of listener \(listener) after \(id)", sourceLocation: sourceLocation) {
                let pose = pose(listener)
                found = pose.id > id ? pose : nil
                return found != nil
            }
            return found
        }
    }

    final class Reports: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    /// A phone and one more find room beside the trackers of the start, and there are never more sockets than the reader has.
    @Test(arguments: [(0, 4), (2, 4), (3, 5), (10, 12), (1000, OSCReceiver.mostTrackers)])
    func hasRoomForMoreThanTheTrackersOfTheStart(_ attached: Int, _ room: Int) {
        #expect(OSCReceiver.trackers(attached: attached) == room)
    }

    @Test func eachTrackerControlsItsListener() throws {
        let rig = try TrackerRig(["sparta", "opentrack"])
        let ports = rig.receiver.trackerPorts
        #expect(ports.count == 2 && !ports.contains(0))
        // A bundle whose time is long past the end of the test applies at once.
        let message = OSCPacket.bytes("/ypr", [.int(30), .float(-20), .float(10)])
        rig.send(OSCPacket.bundle([message], timetag: UInt64.max), to: ports[0])
        let pose = try #require(rig.newPose(2))
        let angles = Orientation.angles(pose.quaternion)
        #expect(abs(angles.yaw - 30) < 0.01 && abs(angles.pitch - 20) < 0.01 && abs(angles.roll - 10) < 0.01)
        #expect(pose.receiveTime > 0 && rig.pose(1).id == 0)
        let doubles = [0.0, 0, 0, -45, 0, 0].flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
        }
        rig.send(doubles, to: ports[1])
        let turned = try #require(rig.newPose(1))
        #expect(abs(Orientation.angles(turned.quaternion).yaw + 45) < 0.01)
        #expect(rig.hasCounted(2))
    }

    @Test func pendingAxesAreReleasedWithoutAnotherDatagram() throws {
        let rig = try TrackerRig(["sparta"])
        rig.send(OSCPacket.bytes("/yaw", [.float(60)]), to: rig.receiver.trackerPorts[0])
        let pose = try #require(rig.newPose(2))
        #expect(abs(Orientation.angles(pose.quaternion).yaw - 60) < 0.01)
    }

    @Test func errorsAreReportedOnceAndLeaveHeadsUnchanged() throws {
        let rig = try TrackerRig(["berta"])
        let port = rig.receiver.trackerPorts[0]
        for _ in 0..<5 {
            rig.send(
                OSCPacket.bytes("/listener/orientation", [.string("a"), .float(.nan), .float(0), .float(0)]), to: port)
            rig.send([1, 2, 3], to: port)
        }
        rig.send(OSCPacket.bytes("/listener/orientation", [.string("a"), .float(-1), .float(0), .float(0)]), to: port)
        let pose = try #require(rig.newPose(2))
        #expect(abs(Orientation.angles(pose.quaternion).yaw - 180 / .pi) < 0.01)
        #expect(rig.said.all.count == 2, "\(rig.said.all)")
        #expect(rig.hasCounted(1))
    }

    @Test func oscPortRecognisesAndReportsTrackerAddresses() throws {
        let rig = try TrackerRig([])
        for _ in 0..<3 {
            let last = rig.pose(1).id
            rig.send(OSCPacket.bytes("/SceneRotator/ypr", [.float(30), .float(0), .float(0)]), to: rig.receiver.port)
            let pose = try #require(rig.newPose(1, after: last))
            #expect(abs(Orientation.angles(pose.quaternion).yaw + 30) < 0.01)
        }
        #expect(rig.said.all.count == 1)
        #expect(rig.said.all[0].contains("IEM") && rig.said.all[0].contains("headitude"), "\(rig.said.all)")
    }

    /// A bundle's timetag is the time at which the tracker was read; without one the time is unknown.
    @Test func bundleTimetagGivesTheTrackersSenderTime() throws {
        let rig = try TrackerRig([])
        let message = OSCPacket.bytes("/SceneRotator/ypr", [.float(30), .float(0), .float(0)])
        rig.send(message, to: rig.receiver.port)
        var pose = try #require(rig.newPose(1))
        #expect(pose.senderTime == 0)
        // A machine that stalls meanwhile receives it more than a second after its time, which counts as unknown then.
        var sent = SentTime()
        for _ in 0..<20 where pose.senderTime == 0 {
            let tag = sent.timetag(-0.25)
            rig.send(
                OSCPacket.bundle([OSCPacket.bytes("/SceneRotator/ypr", [.float(40), .float(0), .float(0)])], timetag: tag),
                to: rig.receiver.port)
            pose = try #require(rig.newPose(1, after: pose.id))
        }
        #expect(sent.isNear(pose.senderTime, -0.25))
    }

    @Test func relaySendsChangedPosesAndRepeatsThem() throws {
        let rig = try TrackerRig(["opentrack"])
        let relay = try PoseRelay(
            try #require(TrackerProfile.named("opentrack")), host: "127.0.0.1", port: rig.receiver.trackerPorts[0])
        let head = Orientation.quaternion(yaw: 70, pitch: 20, roll: -10)
        for i in 0..<5 { relay.send(head, front: 50, now: 1_000_000_000 + UInt64(i)) }
        relay.send(head, front: 0, now: 1_100_000_000)
        var pose = try #require(rig.newPose(2))
        while abs(Orientation.angles(pose.quaternion).yaw - 70) > 0.01 {
            // The recentred pose is sent relative to the new centre.
            #expect(abs(Orientation.angles(pose.quaternion).yaw - 20) < 0.01)
            pose = try #require(rig.newPose(2, after: pose.id))
        }
        #expect(rig.hasCounted(2))
        // For a receiver that starts later.
        relay.send(head, front: 0, now: 2_099_999_999)
        relay.send(head, front: 0, now: 2_100_000_000)
        _ = try #require(rig.newPose(2, after: pose.id))
        #expect(rig.hasCounted(3))
    }

    @Test func errorNamesAPortInUse() throws {
        let rig = try TrackerRig(["sparta"])
        let taken = TrackerPort(
            try #require(TrackerProfile.named("iem")), port: rig.receiver.trackerPorts[0], listener: 1)
        let poses = Latest<HeadPose>(.ahead)
        let inlet = PoseInlet(poses.writer)
        #expect(throws: OSCReceiverError.tracker(name: "iem", port: taken.port, reason: "is in use")) {
            let ring = DatagramRing(capacity: 1 << 12)
            _ = try OSCReceiver(
                host: "127.0.0.1", port: 0, inlets: [inlet], queue: ring.producer, trackers: [taken])
        }
    }
}
