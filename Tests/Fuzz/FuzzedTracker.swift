import CRealtime
import Crossing
import Hub
import Parameters
import Pose
import RenderInterface

@testable import OSCControl
@testable import Trackers

/// A tracker that is attached to a head, with settings that the input chooses.
struct FuzzedTracker: ~Copyable {
    /// One tracker of each kind: making one takes longer than a run.
    private static let fresh = TrackerProfile.table.map { profile in
        let unused = Latest<HeadPose>(.ahead)
        return TrackerFeed(profile, name: "fuzzed", source: 0, head: ListenerHead(PoseInlet(unused.writer))) { _ in }
    }
    static var count: Int { fresh.count }
    private static let addresses = TrackerProfile.table.map { profile in
        profile.forms.flatMap(\.addresses).map { $0.replacing("*", with: "any") }
    }

    private let profile: Int
    private var feed: TrackerFeed
    private let head: ListenerHead
    private var poses: Latest<HeadPose>.Reader
    private var now: UInt64 = 1_000_000_000

    /// - Parameter profile: index in the table of profiles.
    init(_ profile: Int, settings byte: UInt8) {
        let latest = Latest<HeadPose>(.ahead)
        head = ListenerHead(PoseInlet(latest.writer))
        poses = latest.reader
        self.profile = profile
        feed = Self.fresh[profile]
        feed.turn(head)
        var settings = TrackerSettings()
        settings.map = AxisMap(
            AxisMap.Order(rawValue: Int(byte) % 6) ?? .yawPitchRoll, yaw: byte & 8 != 0, pitch: byte & 16 != 0, roll: byte & 32 != 0)
        settings.centre = byte & 64 != 0 ? 123 : 0
        settings.drift = byte & 128 != 0 ? 60 : 0
        settings.timeout = 0.01
        settings.returnTime = 0.1
        feed.settings = settings
    }

    /// Checks the effect of a packet, and advances the time.
    private mutating func check() {
        now += 3_000_000
        if let due = feed.nextDue, due <= now { _ = feed.release(now: now) }
        let q = poses.read().quaternion
        let length = (q * q).sum()
        precondition(length.isFinite && abs(length - 1) < 1e-3, "a head has the pose \(q)")
        let reading = feed.status.reading
        precondition((0..<4).allSatisfy { reading.head[$0].isFinite && reading.raw[$0].isFinite }, "\(reading)")
        precondition(reading.correction.isFinite)
    }

    /// Packets per run: enough for axes that wait for each other, and few enough for many runs per second.
    private static let most = 8

    /// Calls `body` with each piece; every piece follows its length.
    private static func pieces(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var at = 0
        for _ in 0..<most where at < bytes.count {
            let end = min(at + 1 + Int(bytes[at]), bytes.count)
            body(UnsafeRawBufferPointer(rebasing: bytes[(at + 1)..<end]))
            at = end
        }
    }

    mutating func receive(datagrams bytes: UnsafeRawBufferPointer) {
        var pieces: [UnsafeRawBufferPointer] = []
        Self.pieces(bytes) { pieces.append($0) }
        for piece in pieces + [bytes] {
            _ = feed.take(datagram: piece, receiveTime: now)
            check()
        }
    }

    /// Messages with addresses of the profile: an index, the number of arguments, then a type and four bytes for each.
    mutating func receive(messages bytes: UnsafeRawBufferPointer) {
        let addresses = Self.addresses[profile]
        guard !addresses.isEmpty else { return receive(datagrams: bytes) }
        var at = 0
        for _ in 0..<Self.most where at + 2 <= bytes.count {
            let address = addresses[Int(bytes[at]) % addresses.count]
            var arguments: [Argument] = []
            let count = Int(bytes[at + 1]) % 9
            at += 2
            for _ in 0..<count where at + 5 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: at + 1, as: UInt32.self)
                switch bytes[at] % 6 {
                case 0, 1: arguments.append(.float(Float(bitPattern: word)))
                case 2: arguments.append(.int(Int32(bitPattern: word)))
                case 3: arguments.append(.double(Double(Float(bitPattern: word)) * 1e30))
                case 4: arguments.append(.string("me"))
                default: arguments.append(.other)
                }
                at += 5
            }
            _ = feed.take(Message(address: address, arguments: arguments, receiveTime: now))
            check()
        }
    }

    mutating func receive(stream bytes: UnsafeRawBufferPointer) {
        let profile = feed.profile
        var lines = LineSplitter()
        var rows = EighteenSplitter { row in row.withUnsafeBytes { profile.isPacket($0) } }
        var midi = MIDIDecoder(numbers: profile.forms.map(\.layout.count).max() ?? 4)
        let stream = Array(bytes)
        for packet in (lines.take(stream[...]) + rows.take(stream[...]) + midi.take(stream)).prefix(Self.most) {
            _ = packet.withUnsafeBytes { feed.take(datagram: $0, receiveTime: now) }
            check()
        }
    }

    mutating func receive(quaternions bytes: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: bytes.count - 15, by: 16) {
            _ = feed.take(bytes.loadUnaligned(fromByteOffset: start, as: SIMD4<Float>.self), receiveTime: now)
            check()
        }
    }
}
